import { problem, type Problem } from '@comanda/contracts/problem';
import { menuPictures } from '@comanda/contracts/rules';
import { createBatcher } from '@comanda/shared/runtime/batcher';
import sharp, { type Sharp } from 'sharp';
import { countJpegScans } from './count-jpeg-scans.ts';

/** A picture of a dish as WebP, in two sizes. */
export type EncodedPicture = { large: Buffer; small: Buffer };
export type PictureEncoder = {
  /**
   * Decodes the file and encodes it anew: what is not a pixel of it is left behind.
   * @throws 422 `picture_invalid`; 503 `service_unavailable` at the time limit; QueueFull
   */
  encode: (file: Buffer) => Promise<EncodedPicture>;
  /** Waits for the pictures that were accepted. */
  close: () => Promise<void>;
};

const { widths, maxMegapixels, maxAvifMegapixels, maxScans } = menuPictures;
const maxPixels = maxMegapixels * 1_000_000;
/** A picture takes a third of a second of one core, and up to 250 MB: there is one at a time, and these wait. */
const maxWaiting = 4;
/** A file may be made so that it takes long. */
const timeLimitS = 6;
/** A narrow picture is as wide as one that is not, up to this height. */
const maxHeight = 2 * widths.large;
/** As libvips calls what it decodes. HEIF contains AVIF, and nothing else is built into it. */
const formats: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'heif']);

/** `sharp` works in threads of its own; what it decodes is limited for the whole process. */
export function createPictureEncoder(): PictureEncoder {
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`),
  });
  const queue = createBatcher<Buffer, EncodedPicture>({
    maxBatch: 1,
    maxQueue: maxWaiting,
    run: async (files) => Promise.all(files.map(async (file) => ({ value: await encode(file) }))),
  });
  return { encode: queue.submit, close: queue.close };
}

async function encode(file: Buffer): Promise<EncodedPicture> {
  await checkHead(file);
  try {
    const large = await open(file)
      .autoOrient()
      .resize({ width: widths.large, height: maxHeight, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .timeout({ seconds: timeLimitS })
      .toBuffer();
    const small = await open(large)
      .resize({ width: widths.small, withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer();
    return { large, small };
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Why `sharp` has not encoded a picture. It throws plain errors, whose texts tell of the library, and not of what to do. */
export const refusalOf = (error: unknown): Problem =>
  error instanceof Error && error.message.startsWith('timeout: ') ? tookTooLong() : unreadable();

/** Decides by what the file says of itself, before anything is decoded. @throws 422 `picture_invalid` */
async function checkHead(file: Buffer): Promise<void> {
  const { format, width, height, pages = 1 } = await readHead(file);
  if (!formats.has(format)) throw unreadable();
  if (pages > 1) throw problem('picture_invalid', { reason: 'animated', detail: 'The file has several frames.' });
  const isAvif = format === 'heif';
  const max = isAvif ? maxAvifMegapixels : maxMegapixels;
  if (width * height > max * 1_000_000)
    throw problem('picture_invalid', {
      reason: 'too_many_pixels',
      detail: `The picture has ${width} × ${height} pixels. At most ${max} megapixels are allowed${isAvif ? ' for AVIF' : ''}.`,
    });
  // The time limit ends what is encoded, and not a decoder that goes over the same pixels again and again.
  const scans = format === 'jpeg' ? countJpegScans(file) : 0;
  if (scans > maxScans)
    throw problem('picture_invalid', {
      reason: 'too_many_scans',
      detail: `The JPEG goes over its pixels ${scans} times. At most ${maxScans} scans are allowed: save it as a JPEG again.`,
    });
}

async function readHead(file: Buffer) {
  try {
    return await sharp(file, { limitInputPixels: false }).metadata();
  } catch {
    throw unreadable();
  }
}

/** The first frame of `file`. A file that ends too soon is refused, and not half a picture shown. */
const open = (file: Buffer): Sharp => sharp(file, { limitInputPixels: maxPixels, failOn: 'error' });

const tookTooLong = () =>
  problem(
    'service_unavailable',
    {
      detail: `The picture was not encoded within ${timeLimitS} seconds, and nothing was stored. Try again; if that takes too long as well, send a smaller copy.`,
    },
    { 'Retry-After': '1' },
  );
const unreadable = () =>
  problem('picture_invalid', {
    reason: 'unreadable',
    detail: 'The file is damaged, or it is not a JPEG, PNG, WebP or AVIF picture.',
  });
