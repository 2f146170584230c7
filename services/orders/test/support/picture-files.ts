import { crc32, deflateSync } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';

type Colour = { r: number; g: number; b: number };
type Bytes = Uint8Array<ArrayBuffer>;
export type PictureFile = { type: string; bytes: Bytes };

const blank = (width: number, height: number, background: Colour): Sharp =>
  sharp({ create: { width, height, channels: 3, background } });

let shades = 0;
/** Returns a colour that no other picture in this process has. Two colours stay different after encoding. */
const newColour = (): Colour => {
  shades++;
  const [r = 0, g = 0, b = 0] = [1, 20, 400].map((each) => 12 * (Math.floor(shades / each) % 20));
  return { r, g, b };
};

/** Creates a one-colour picture that differs from all earlier ones. */
export const newPicture = (width = 60, height = 40): Sharp => blank(width, height, newColour());

export async function fileOf(picture: Sharp, format: 'jpeg' | 'png' | 'webp' | 'avif' = 'jpeg'): Promise<PictureFile> {
  return { type: `image/${format}`, bytes: new Uint8Array(await picture.toFormat(format).toBuffer()) };
}
export const newFile = (width?: number, height?: number): Promise<PictureFile> => fileOf(newPicture(width, height));

/**
 * Creates a photo from a phone that was held upright. Its pixels are stored sideways, and its metadata contains the rotation and
 * the place.
 */
export async function phonePhotograph(): Promise<PictureFile> {
  const tags = {
    IFD0: { Copyright: 'Marta Canary' },
    IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '23/1 33/1 2/1', GPSLongitudeRef: 'W', GPSLongitude: '46/1 38/1 1/1' },
  };
  return fileOf(newPicture(60, 40).withExif(tags).withIccProfile('p3').withMetadata({ orientation: 6 }));
}

const chunk = (name: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(name), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
};
/** Creates a valid one-colour PNG with one bit per pixel. Even 50,000 × 50,000 pixels take only 300 KB. */
export function bomb(width: number, height: number): PictureFile {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1; // bits per pixel
  const rows = deflateSync(Buffer.alloc(height * (1 + Math.ceil(width / 8))), { level: 1 });
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const bytes = [signature, chunk('IHDR', head), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))];
  return { type: 'image/png', bytes: new Uint8Array(Buffer.concat(bytes)) };
}

export async function animation(frames: number): Promise<PictureFile> {
  const size = 16;
  const each = Array.from({ length: frames }, (_each, at) => blank(size, size, { r: at % 256, g: 0, b: 0 }).png());
  const buffers = await Promise.all(each.map((frame) => frame.toBuffer()));
  const joined = sharp(buffers, { join: { animated: true } });
  return { type: 'image/webp', bytes: new Uint8Array(await joined.webp({ lossless: true }).toBuffer()) };
}
