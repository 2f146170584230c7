/**
 * Pictures of more than 1 MiB are made smaller before the upload. A phone's photo is ten times as large, and a kitchen's Wi-Fi is
 * slow.
 */
const maxBytes = 1024 * 1024;
/** The maximum width and height in pixels. The server reduces larger pictures anyway. */
const maxSide = 2400;

/** Returns true for an iPhone's HEIC photo, which only Safari can read. On some systems, only the name shows what it is. */
export const isHeic = (file: Blob): boolean =>
  /^image\/hei[cf]/.test(file.type) || (file instanceof File && /\.hei[cf]$/i.test(file.name));

/**
 * Prepares a picture for upload: makes a large one smaller, turns it upright, and removes the camera's metadata. A file that this
 * browser can't read stays unchanged, and the server then reports what is wrong.
 */
export async function shrinkPicture(file: Blob): Promise<Blob> {
  if (file.size <= maxBytes && !isHeic(file)) return file;
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, maxSide / Math.max(picture.width, picture.height));
    const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale));
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    // A PNG may be transparent, so it stays a PNG.
    const type = file.type === 'image/png' ? 'image/png' : 'image/jpeg';
    return await canvas.convertToBlob({ type, quality: 0.9 });
  } catch {
    return file;
  }
}
