/** Encodes `text` as one WebSocket frame of a server, neither fragmented nor compressed [RFC 6455, 5.2]. */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const header = textFrameHeader(length);
  // Not part of a larger buffer, which the frame would keep in memory while it waits for a slow client.
  const frame = Buffer.allocUnsafeSlow(header.length + length);
  header.copy(frame);
  frame.write(text, header.length);
  return frame;
}

function textFrameHeader(length: number): Buffer {
  const finalText = 0x81;
  if (length < 126) return Buffer.from([finalText, length]);
  if (length < 65_536) return Buffer.from([finalText, 126, length >> 8, length & 0xff]);
  const header = Buffer.from([finalText, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  header.writeBigUInt64BE(BigInt(length), 2);
  return header;
}
