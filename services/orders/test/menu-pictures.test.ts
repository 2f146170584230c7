import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeOf, created } from '@comanda/testing/call';
import sharp from 'sharp';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';
import {
  animation,
  bomb,
  fileOf,
  newFile,
  newPicture,
  phonePhotograph,
  type PictureFile,
} from './support/picture-files.ts';

let harness: OrdersHarness;
let offsetMs = 0;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-pictures', { clock: () => Date.now() + offsetMs });
});
afterAll(() => harness.close());

const upload = (file: PictureFile) => harness.manager('POST', '/menu-pictures', { file });
const addressOf = async (file: PictureFile): Promise<string> => created(await upload(file)).image_url;
const get = (address: string, headers: Record<string, string> = {}) =>
  harness.manager('GET', address, { headers, token: undefined });
const stored = () => harness.db.collection('menu_pictures');
const idOf = (address: string): string => address.slice('/menu-pictures/'.length);

describe('an uploaded picture', () => {
  test.each(['jpeg', 'png', 'webp', 'avif'] as const)(
    'in %s is converted to WebP in the displayed size',
    async (format) => {
      const address = await addressOf(await fileOf(newPicture(1600, 1000), format));

      const [large, small] = [await get(address), await get(`${address}?width=400`)];

      expect(large.headers.get('content-type')).toBe('image/webp');
      expect(await sharp(large.file).metadata()).toMatchObject({ format: 'webp', width: 1200, height: 750 });
      expect(await sharp(small.file).metadata()).toMatchObject({ format: 'webp', width: 400, height: 250 });
    },
  );

  test("isn't enlarged if it is smaller than the displayed size", async () => {
    const address = await addressOf(await newFile(60, 40));

    for (const path of [address, `${address}?width=400`, `${address}?width=1200`])
      expect(await sharp((await get(path)).file).metadata()).toMatchObject({ width: 60, height: 40 });
  });

  test('is turned upright and loses its metadata if it comes from a phone', async () => {
    const photograph = await phonePhotograph();
    const sent = await sharp(photograph.bytes).metadata();
    expect([sent.exif?.includes('Canary'), sent.orientation, sent.icc !== undefined]).toEqual([true, 6, true]);

    const { file } = await get(await addressOf(photograph));

    const { exif, xmp, iptc, icc, orientation, width, height } = await sharp(file).metadata();
    expect({ exif, xmp, iptc, icc, orientation }).toEqual({});
    expect([width, height]).toEqual([40, 60]);
    expect(file.includes('Canary')).toBe(false);
  });

  test('stays transparent', async () => {
    const background = { r: 0, g: 0, b: 0, alpha: 0 };
    const clear = sharp({ create: { width: 20, height: 20, channels: 4, background } });

    const { file } = await get(await addressOf(await fileOf(clear, 'png')));

    expect(await sharp(file).stats()).toMatchObject({ isOpaque: false });
  });

  test('is stored only once, even if two clients upload it at the same time', async () => {
    const file = await newFile();
    const responses = await Promise.all([upload(file), upload(file)]);
    const again = await upload(file);

    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 201]));
    expect(again).toMatchObject({ status: 200, body: responses[0]?.body });
    const { image_url: address } = again.body as { image_url: string };
    expect(await stored().countDocuments({ _id: idOf(address) as never })).toBe(1);
  });

  test('is stored with its uploader and upload time', async () => {
    const address = await addressOf(await newFile());

    expect(
      await stored().findOne({ _id: idOf(address) as never }, { projection: { large: 0, small: 0 } }),
    ).toMatchObject({
      uploaded_by: { id: 900_001, name: 'Marta' },
      uploaded_at: expect.any(Date),
    });
  });

  test('appears on the menu when a dish gets it', async () => {
    const address = await addressOf(await newFile());
    const id = await harness.createDish();

    await harness.manager('PUT', `/menu/${id}`, { body: { image_url: address } });

    const { body } = await harness.manager('GET', '/menu');
    expect(body).toContainEqual(expect.objectContaining({ id, image_url: address }));
  });
});

describe('the response with a picture', () => {
  let address = '';
  beforeAll(async () => {
    address = await addressOf(await newFile());
  });

  test('can be cached forever', async () => {
    const { headers } = await get(address);

    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(headers.get('content-disposition')).toBe('inline');
  });

  test('is a 304 if the client has a cached copy in the same size', async () => {
    const tag = (await get(address)).headers.get('etag') ?? '';

    for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, '*'])
      expect(await get(address, { 'If-None-Match': sent })).toMatchObject({ status: 304, text: '' });
    expect((await get(`${address}?width=400`, { 'If-None-Match': tag })).status).toBe(200);
  });

  test.each([
    ['that no picture has', `/menu-pictures/${'0'.repeat(64)}`, '404 not_found'],
    ['that is not a hash', '/menu-pictures/7', '400 validation_failed'],
    ['in capital letters', `/menu-pictures/${'A'.repeat(64)}`, '400 validation_failed'],
  ])('is an error for a URL %s', async (_what, path, code) => {
    expect(codeOf(await get(path))).toBe(code);
  });
  test('names the query parameter if its width is unknown', async () => {
    const refused = await get(`${address}?width=5000`);

    expect(codeOf(refused)).toBe('400 validation_failed');
    expect(refused.body.errors).toMatchObject([{ pointer: '/width', in: 'query' }]);
  });
});

describe('an uploaded file', () => {
  const script =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40"/><script>alert(1)</script></svg>';
  const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));
  /** Uploads a file that must be rejected. Returns the reason, and checks that nothing was stored. */
  async function reasonOf(file: PictureFile): Promise<string> {
    const before = await stored().countDocuments();
    const response = await upload(file);
    expect(await stored().countDocuments()).toBe(before);
    return response.status === 422 ? response.body.reason : codeOf(response);
  }

  test.each([
    ['text', async () => bytesOf('not a picture')],
    ['empty', async () => bytesOf('')],
    ['an SVG with a script', async () => bytesOf(script)],
    ['a web page', async () => bytesOf('<!doctype html><script>alert(1)</script>')],
    ['a GIF', async () => new Uint8Array(await newPicture().gif().toBuffer())],
    ['a TIFF', async () => new Uint8Array(await newPicture().tiff().toBuffer())],
    ['only the header of a JPEG', async () => (await newFile()).bytes.slice(0, 200)],
    ['a truncated JPEG', async () => (await newFile(600, 400)).bytes.slice(0, -300)],
    ['a PNG with damaged pixels', async () => damaged((await fileOf(newPicture(), 'png')).bytes)],
  ])('gets a 422 unreadable if it is %s', async (_what, make) => {
    const bytes = await make();

    for (const type of ['image/jpeg', 'image/png']) expect(await reasonOf({ type, bytes })).toBe('unreadable');
  });

  test('is identified by its content, not by its declared type', async () => {
    const { bytes } = await newFile();
    const { image_url: address } = (await upload({ type: 'image/png', bytes })).body as { image_url: string };
    await stored().deleteOne({ _id: idOf(address) as never });

    expect((await get(address)).status).toBe(404);
  });

  test('is rejected by its header if it is a decompression bomb', async () => {
    expect(await reasonOf(bomb(50_000, 50_000))).toBe('too_many_pixels');
    expect(await reasonOf(bomb(5_001, 5_000))).toBe('too_many_pixels');
  });

  test('is rejected if it has several frames', async () => {
    expect(await reasonOf(await animation(12))).toBe('animated');
  });

  test.each(['image/gif', 'image/svg+xml', 'application/json', 'application/octet-stream', ''])(
    'gets a 415 with the list of types if its type is "%s"',
    async (type) => {
      const refused = await upload({ ...(await newFile()), type });

      expect(codeOf(refused)).toBe('415 unsupported_media_type');
      expect(refused.body.detail).toContain('image/jpeg, image/png, image/webp or image/avif');
    },
  );

  test('gets a 413 if it is larger than 10 MB', async () => {
    const bytes = new Uint8Array(10 * 1024 * 1024 + 1);
    const refused = await upload({ type: 'image/jpeg', bytes });

    expect(codeOf(refused)).toBe('413 body_too_large');
    expect(refused.body.detail).toBe('The body is larger than the limit of 10 MB.');
  });

  test('gets a 403 if it comes from a waiter or a guest', async () => {
    const file = await newFile();

    for (const role of ['waiter', 'customer'] as const)
      expect(codeOf(await harness.as({ sub: 5, role })('POST', '/menu-pictures', { file }))).toBe('403 forbidden');
  });
});

/** Returns a copy of the PNG with one byte of its pixel data changed. */
function damaged(png: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const at = Buffer.from(png).indexOf('IDAT') + 8;
  return png.with(at, (png[at] ?? 0) ^ 0xff);
}
