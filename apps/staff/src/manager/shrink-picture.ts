/** Above it, a picture is made smaller here: a phone's photograph has ten times as much, and the Wi-Fi of a kitchen is slow. */
const maxBytes = 1024 * 1024;
/** The server keeps fewer pixels than this. */
const maxSide = 2400;

/** A photograph of an iPhone: only Safari reads it. Some systems do not know its type. */
export const isHeic = (file: Blob): boolean =>
  /^image\/hei[cf]/.test(file.type) || (file instanceof File && /\.hei[cf]$/i.test(file.name));

/**
 * A picture as it is to be sent: a large one smaller, upright, and without what the camera has noted. What this browser cannot
 * read stays as it is, and the server says what is wrong.
 */
export async function shrinkPicture(file: Blob): Promise<Blob> {
  if (file.size <= maxBytes && !isHeic(file)) return file;
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, maxSide / Math.max(picture.width, picture.height));
    const canvas = new OffscreenCanvas(Math.round(picture.width * scale), Math.round(picture.height * scale));
    canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    // A PNG may be transparent.
    const type = file.type === 'image/png' ? 'image/png' : 'image/jpeg';
    return await canvas.convertToBlob({ type, quality: 0.9 });
  } catch {
    return file;
  }
}
