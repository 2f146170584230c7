import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { countJpegScans } from './count-jpeg-scans.ts';

/** Creates a new sharp instance for each picture, because an instance keeps the settings of its last use. */
const picture = () => sharp({ create: { width: 40, height: 30, channels: 3, background: { r: 200, g: 90, b: 10 } } });
const progressive = (): Promise<Buffer> => picture().jpeg({ progressive: true }).toBuffer();
const scan = [0xff, 0xda];
/** Returns the JPEG with `bytes` inserted right after its start-of-image marker. */
const withFirst = (jpeg: Buffer, bytes: readonly number[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), Buffer.from(bytes), jpeg.subarray(2)]);

describe('countJpegScans', () => {
  test('finds one scan in an ordinary JPEG and ten in a progressive one', async () => {
    expect(countJpegScans(await picture().jpeg().toBuffer())).toBe(1);
    expect(countJpegScans(await progressive())).toBe(10);
  });

  test('ignores a start of scan inside a comment, and another picture after the end', async () => {
    const jpeg = await progressive();

    expect(countJpegScans(withFirst(jpeg, [0xff, 0xfe, 0, 6, ...scan, ...scan]))).toBe(10);
    expect(countJpegScans(Buffer.concat([jpeg, jpeg]))).toBe(10);
  });

  test.each([
    ['bytes between markers', [1, 2, 3]],
    ['markers that start with more than one 0xff', [0xff, 0xff, 0xff]],
    ['a restart marker in the wrong place', [0xff, 0xd3]],
    ['an unknown marker', [0xff, 0x02]],
  ])('counts the scans even with %s', async (_what, bytes) => {
    expect(countJpegScans(withFirst(await progressive(), bytes))).toBe(10);
  });

  test('counts the scans before the end of a truncated file, even if it ends inside a marker', async () => {
    const jpeg = await progressive();
    const second = jpeg.indexOf(Buffer.from(scan), jpeg.indexOf(Buffer.from(scan)) + 2);

    expect(countJpegScans(jpeg.subarray(0, second))).toBe(1);
    expect(countJpegScans(jpeg.subarray(0, second + 2))).toBe(2);
    expect(countJpegScans(jpeg.subarray(0, second + 1))).toBe(1);
  });
});
