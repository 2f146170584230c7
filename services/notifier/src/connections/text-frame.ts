/** Encodes `text` as one unmasked WebSocket frame, neither fragmented nor compressed [RFC 6455, 5.2]. */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const header = textFrameHeader(length);
  // Allocated separately. If the frame were part of a larger buffer, all of that buffer would stay in memory while the frame
  // waits for a slow client.
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
