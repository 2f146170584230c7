/** The first bytes of the text frame that the notifier sends when Socket.IO has accepted the client: `40`. */
const accepted = Buffer.from('40');
/** The first byte of an unfragmented text message [RFC 6455, 5.2]. */
const wholeText = 0x81;
/** The largest size of a frame header: 10 bytes, because servers do not mask frames. */
const maxHeaderBytes = 10;

/**
 * Creates a function that reads the notifier's bytes up to the first packet that accepts the client (Socket.IO's CONNECT, `40`).
 * The function returns true for the chunk that completes the start of that packet. Do not call it again after that.
 */
export function createConnectWatcher(): (bytes: Buffer) => boolean {
  /** The start of a frame that is too short to be recognized yet: only a few bytes. */
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

/** Reads the frame at the start of `start`. Returns null if its header is incomplete. */
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
