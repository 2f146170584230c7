import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { countJpegScans } from './count-jpeg-scans.ts';

/** A new one each time: it keeps what it was told. */
const picture = () => sharp({ create: { width: 40, height: 30, channels: 3, background: { r: 200, g: 90, b: 10 } } });
const progressive = (): Promise<Buffer> => picture().jpeg({ progressive: true }).toBuffer();
const scan = [0xff, 0xda];
/** `bytes` right after the start of the image. */
const withFirst = (jpeg: Buffer, bytes: readonly number[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), Buffer.from(bytes), jpeg.subarray(2)]);

describe('how many scans a JPEG has', () => {
  test('when it is a usual one, then it has one; a progressive one has ten', async () => {
    expect(countJpegScans(await picture().jpeg().toBuffer())).toBe(1);
    expect(countJpegScans(await progressive())).toBe(10);
  });

  test('when a comment contains the start of a scan, or another picture follows the end, then these do not count', async () => {
    const jpeg = await progressive();

    expect(countJpegScans(withFirst(jpeg, [0xff, 0xfe, 0, 6, ...scan, ...scan]))).toBe(10);
    expect(countJpegScans(Buffer.concat([jpeg, jpeg]))).toBe(10);
  });

  test.each([
    ['bytes between its markers', [1, 2, 3]],
    ['markers that begin with more than one 0xff', [0xff, 0xff, 0xff]],
    ['a restart where none belongs', [0xff, 0xd3]],
    ['a marker that nobody knows', [0xff, 0x02]],
  ])('when it has %s, then its scans count all the same', async (_what, bytes) => {
    expect(countJpegScans(withFirst(await progressive(), bytes))).toBe(10);
  });

  test('when it ends too soon, also in the middle of a marker, then those before count', async () => {
    const jpeg = await progressive();
    const second = jpeg.indexOf(Buffer.from(scan), jpeg.indexOf(Buffer.from(scan)) + 2);

    expect(countJpegScans(jpeg.subarray(0, second))).toBe(1);
    expect(countJpegScans(jpeg.subarray(0, second + 2))).toBe(2);
    expect(countJpegScans(jpeg.subarray(0, second + 1))).toBe(1);
  });
});
