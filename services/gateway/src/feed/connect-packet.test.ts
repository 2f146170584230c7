import { describe, expect, test } from '@jest/globals';
import { createConnectWatcher } from './connect-packet.ts';

function frame(text: string, firstByte = 0x81): Buffer {
  const payload = Buffer.from(text);
  if (payload.length < 126) return Buffer.concat([Buffer.from([firstByte, payload.length]), payload]);
  const header = Buffer.alloc(payload.length < 65_536 ? 4 : 10);
  header[0] = firstByte;
  header[1] = payload.length < 65_536 ? 126 : 127;
  if (payload.length < 65_536) header.writeUInt16BE(payload.length, 2);
  else header.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([header, payload]);
}
const open = frame('0{"sid":"a","pingInterval":10000}');
const accept = frame('40{"sid":"b"}');
const inBytes = (bytes: Buffer): Buffer[] => [...bytes].map((byte) => Buffer.from([byte]));
const isSeen = (chunks: readonly Buffer[]): boolean => {
  const watch = createConnectWatcher();
  return chunks.some((chunk) => watch(chunk));
};

describe('detecting the packet that accepts a client', () => {
  test.each([
    ['alone', [open, accept]],
    ['together with others in one chunk', [Buffer.concat([open, frame('2'), accept, frame('42["feed"]')])]],
    ['byte by byte', inBytes(Buffer.concat([open, accept]))],
    ['after a long packet', [frame(`0${'x'.repeat(200)}`), accept]],
    ['after a very long packet, byte by byte', inBytes(Buffer.concat([frame(`0${'x'.repeat(70_000)}`), accept]))],
    ['after an empty packet', [frame(''), accept]],
  ])('finds the packet %s', (_how, chunks) => {
    expect(isSeen(chunks)).toBe(true);
  });

  test.each([
    ['a rejection', [open, frame('44{"message":"401"}')]],
    ['a packet that contains the same bytes', [open, frame('4240'), frame('x40')]],
    ['a WebSocket ping', [open, frame('40', 0x89)]],
    ['a frame that is too short', [frame('4'), frame('0')]],
    ['nothing', []],
  ])("isn't misled by %s", (_what, chunks) => {
    expect(isSeen(chunks)).toBe(false);
  });
});
