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

describe('the packet that accepts a client', () => {
  test.each([
    ['comes alone', [open, accept]],
    ['comes with others in one piece', [Buffer.concat([open, frame('2'), accept, frame('42["feed"]')])]],
    ['comes byte by byte', inBytes(Buffer.concat([open, accept]))],
    ['follows a long one', [frame(`0${'x'.repeat(200)}`), accept]],
    ['follows a very long one, byte by byte', inBytes(Buffer.concat([frame(`0${'x'.repeat(70_000)}`), accept]))],
    ['follows an empty one', [frame(''), accept]],
  ])('when it %s, then it is seen', (_how, chunks) => {
    expect(isSeen(chunks)).toBe(true);
  });

  test.each([
    ['a refusal', [open, frame('44{"message":"401"}')]],
    ['a packet that contains it', [open, frame('4240'), frame('x40')]],
    ['a ping of the protocol below', [open, frame('40', 0x89)]],
    ['a frame that is too short', [frame('4'), frame('0')]],
    ['nothing', []],
  ])('when there is %s, then it is not', (_what, chunks) => {
    expect(isSeen(chunks)).toBe(false);
  });
});
