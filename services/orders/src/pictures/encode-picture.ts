import { problem, unavailable, type Problem } from '@comanda/contracts/problem';
import { menuPictures } from '@comanda/contracts/rules';
import { createBatcher } from '@comanda/shared/runtime/batcher';
import type { default as Library, Sharp } from 'sharp';
import { countJpegScans } from './count-jpeg-scans.ts';

/** A dish's picture as WebP, in two sizes. */
export type EncodedPicture = { large: Buffer; small: Buffer };
export type PictureEncoder = {
  /**
   * Decodes the picture and encodes it again, so that nothing but its pixels remains.
   * @throws 422 `picture_invalid`; 503 `service_unavailable` at the time limit; QueueFull
   */
  encode: (file: Buffer) => Promise<EncodedPicture>;
  /** Waits until all accepted pictures are encoded. */
  close: () => Promise<void>;
};

const { widths, maxMegapixels, maxAvifMegapixels, maxScans } = menuPictures;
const maxPixels = maxMegapixels * 1_000_000;
/**
 * The maximum number of waiting pictures. Only one is encoded at a time, because encoding takes about 0.3 s on one core and up to
 * 250 MB of memory.
 */
const maxWaiting = 4;
/** The time limit for encoding one picture, in seconds. It protects against files that were designed to take a long time. */
const timeLimitS = 6;
/** The maximum height of a large picture, in pixels. A tall picture is only made narrower if it exceeds this height. */
const maxHeight = 2 * widths.large;
/**
 * The accepted formats, under their names in libvips. Here, `heif` means AVIF: this build of libvips supports no other HEIF
 * files.
 */
const formats: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'heif']);

type SharpLibrary = typeof Library;

/** Loads `sharp` and sets its limits. sharp has threads of its own, and its limits apply to the whole process. */
async function loadSharp(): Promise<SharpLibrary> {
  const { default: sharp } = await import('sharp');
  sharp.concurrency(1);
  sharp.cache(false);
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: ['Jpeg', 'Png', 'Webp', 'Heif'].map((format) => `VipsForeignLoad${format}Buffer`),
  });
  return sharp;
}

/**
 * Creates an encoder. The encoder loads `sharp` only when it gets its first picture, because `sharp` needs memory and many
 * instances never get a picture.
 */
export function createPictureEncoder(): PictureEncoder {
  let loading: Promise<SharpLibrary> | null = null;
  /** After a failure, the next picture loads `sharp` again. */
  const forget = (error: unknown): never => {
    loading = null;
    throw error;
  };
  const queue = createBatcher<Buffer, EncodedPicture>({
    maxBatch: 1,
    maxQueue: maxWaiting,
    run: async (files) => {
      const sharp = await (loading ??= loadSharp().catch(forget));
      return Promise.all(files.map(async (file) => ({ value: await encode(sharp, file) })));
    },
  });
  return { encode: queue.submit, close: queue.close };
}

async function encode(sharp: SharpLibrary, file: Buffer): Promise<EncodedPicture> {
  await checkHead(sharp, file);
  try {
    const large = await open(sharp, file)
      .autoOrient()
      .resize({ width: widths.large, height: maxHeight, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 80 })
      .timeout({ seconds: timeLimitS })
      .toBuffer();
    const small = await open(sharp, large)
      .resize({ width: widths.small, withoutEnlargement: true })
      .webp({ quality: 80 })
      .toBuffer();
    return { large, small };
  } catch (error) {
    throw refusalOf(error);
  }
}

/** Returns the problem to send for an error from `sharp`. sharp's own messages don't tell users what to do. */
export const refusalOf = (error: unknown): Problem =>
  error instanceof Error && error.message.startsWith('timeout: ') ? tookTooLong() : unreadable();

/** Checks a file's header before its pixels are decoded. @throws 422 `picture_invalid` */
async function checkHead(sharp: SharpLibrary, file: Buffer): Promise<void> {
  const { format, width, height, pages = 1 } = await readHead(sharp, file);
  if (!formats.has(format)) throw unreadable();
  if (pages > 1)
    throw problem('picture_invalid', {
      reason: 'animated',
      detail: 'The image has several frames. Send one with a single frame.',
    });
  const isAvif = format === 'heif';
  const max = isAvif ? maxAvifMegapixels : maxMegapixels;
  if (width * height > max * 1_000_000)
    throw problem('picture_invalid', {
      reason: 'too_many_pixels',
      detail: `The picture has ${width} × ${height} pixels. At most ${max} megapixels are allowed${isAvif ? ' for AVIF' : ''}.`,
    });
  // The time limit stops encoding, but it can't stop a decoder that goes over the same pixels again and again.
  const scans = format === 'jpeg' ? countJpegScans(file) : 0;
  if (scans > maxScans)
    throw problem('picture_invalid', {
      reason: 'too_many_scans',
      detail: `The JPEG goes over its pixels ${scans} times. At most ${maxScans} scans are allowed: save it as a JPEG again.`,
    });
}

async function readHead(sharp: SharpLibrary, file: Buffer) {
  try {
    return await sharp(file, { limitInputPixels: false }).metadata();
  } catch {
    throw unreadable();
  }
}

/** Opens the first frame of `file`. Fails for a truncated file, so that no incomplete picture is ever stored. */
const open = (sharp: SharpLibrary, file: Buffer): Sharp =>
  sharp(file, { limitInputPixels: maxPixels, failOn: 'error' });

const tookTooLong = () =>
  unavailable({
    detail: `Encoding the picture took longer than ${timeLimitS} seconds. Nothing was stored. Try again, or send a smaller copy.`,
  });
const unreadable = () =>
  problem('picture_invalid', {
    reason: 'unreadable',
    detail: "The file is damaged, or it isn't a JPEG, PNG, WebP or AVIF picture.",
  });
