import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf } from '@comanda/testing/call';
import sharp from 'sharp';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';
import { jpegOfScans } from './support/jpeg-of-scans.ts';
import { fileOf, newPicture, type PictureFile } from './support/picture-files.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-hostile-pictures');
});
afterAll(() => harness.close());

const upload = (file: PictureFile) => harness.manager('POST', '/menu-pictures', { file });

/** Creates a plain picture that is quick to encode. */
async function avif(width: number, height: number): Promise<PictureFile> {
  return { type: 'image/avif', bytes: new Uint8Array(await newPicture(width, height).avif({ effort: 0 }).toBuffer()) };
}

describe('an AVIF picture, which takes four times as much memory as others', () => {
  test('is accepted up to the size of a 4K screen', async () => {
    expect((await upload(await avif(3840, 2160))).status).toBe(201);
  });

  test('is rejected before decoding if it is larger than a 4K screen', async () => {
    const refused = await upload(await avif(3600, 2600));

    expect(codeOf(refused)).toBe('422 picture_invalid');
    expect(refused.body).toMatchObject({
      reason: 'too_many_pixels',
      detail: 'The picture has 3600 × 2600 pixels. At most 9 megapixels are allowed for AVIF.',
    });
    expect((await upload(await fileOf(newPicture(3600, 2600), 'png'))).status).toBe(201);
  });
});

describe('a JPEG', () => {
  test('is rejected before decoding if it has as many as 2,600 scans', async () => {
    const refused = await upload(jpegOfScans(2_600));

    expect(codeOf(refused)).toBe('422 picture_invalid');
    expect(refused.body).toMatchObject({
      reason: 'too_many_scans',
      detail: 'The JPEG goes over its pixels 2600 times. At most 100 scans are allowed: save it as a JPEG again.',
    });
  });

  test('is accepted if it has an ordinary number of scans', async () => {
    expect((await upload(jpegOfScans(100))).status).toBe(201);
    expect((await upload(jpegOfScans(10, { width: 80 }))).status).toBe(201);
    expect(codeOf(await upload(jpegOfScans(101)))).toBe('422 picture_invalid');
  });
});

describe('a file that is both a picture and something else', () => {
  test('is stripped of a web page or archive hidden in a JPEG', async () => {
    const { bytes } = await fileOf(newPicture());
    const page = Buffer.from('<html><script>canary()</script></html>');
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, page.length + 2]), page]);
    const both = Buffer.concat([bytes.subarray(0, 2), comment, bytes.subarray(2), Buffer.from('PK\x03\x04 canary')]);

    const { status, body } = await upload({ type: 'image/jpeg', bytes: new Uint8Array(both) });

    expect(status).toBe(201);
    for (const path of [body.image_url, `${body.image_url}?width=400`]) {
      const { file } = await harness.manager('GET', path);
      expect(file.includes('canary')).toBe(false);
      expect(await sharp(file).metadata()).toMatchObject({ format: 'webp' });
    }
  });
});
