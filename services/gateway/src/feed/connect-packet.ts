/** What a text frame of the notifier begins with when Socket.IO has accepted the client: `40`. */
const accepted = Buffer.from('40');
/** A first byte of a whole text message [RFC 6455, 5.2]. */
const wholeText = 0x81;
/** A frame's header has 10 bytes at most, because servers do not mask. */
const maxHeaderBytes = 10;

/**
 * Reads what the notifier sends until its first packet that accepts the client (Socket.IO's CONNECT, `40`). Returns true
 * with the bytes that complete the beginning of that packet, and is not called again then.
 */
export function createConnectWatcher(): (bytes: Buffer) => boolean {
  /** The beginning of a frame that is not complete enough to be judged; never long. */
  let rest = Buffer.alloc(0);
  /** How many bytes of the current frame are still to come. */
  let skip = 0;

  return (bytes) => {
    let at = 0;
    for (;;) {
      const passed = Math.min(skip, bytes.length - at);
      skip -= passed;
      at += passed;
      if (skip > 0 || at >= bytes.length) return false;
      const start = Buffer.concat([rest, bytes.subarray(at, at + maxHeaderBytes + accepted.length)]);
      const frame = readFrame(start);
      if (!frame) {
        rest = start;
        return false;
      }
      if (frame.isAccepted) return true;
      skip = frame.bytes - rest.length;
      rest = Buffer.alloc(0);
    }
  };
}

/** The frame that begins here; null if its beginning is not complete. */
function readFrame(start: Buffer): { bytes: number; isAccepted: boolean } | null {
  if (start.length < 2) return null;
  const short = (start[1] ?? 0) & 0x7f;
  const headerBytes = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (start.length < headerBytes) return null;
  const length = short === 127 ? Number(start.readBigUInt64BE(2)) : short === 126 ? start.readUInt16BE(2) : short;
  const needed = Math.min(length, accepted.length);
  if (start.length < headerBytes + needed) return null;
  const isAccepted = start[0] === wholeText && start.subarray(headerBytes, headerBytes + 2).equals(accepted);
  return { bytes: headerBytes + length, isAccepted: isAccepted && length >= accepted.length };
}
