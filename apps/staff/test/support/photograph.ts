/// <reference lib="dom" />
import type { Locator, Page } from 'playwright-core';
import { until } from '@comanda/testing/until';

let shades = 0;
/** Paints a picture in the page and returns it as a file, like a photo from a phone. `noise` makes the file large. */
export async function photograph(
  page: Page,
  { width, height, noise = false }: { width: number; height: number; noise?: boolean },
) {
  const base64 = await page.evaluate(
    async ({ w, h, isNoisy, hue }) => {
      const canvas = new OffscreenCanvas(w, h);
      const pen = canvas.getContext('2d');
      if (!pen) throw new Error('no canvas');
      const sky = pen.createLinearGradient(0, 0, w, h);
      sky.addColorStop(0, `hsl(${hue} 70% 40%)`);
      sky.addColorStop(1, `hsl(${hue + 60} 80% 65%)`);
      pen.fillStyle = sky;
      pen.fillRect(0, 0, w, h);
      pen.fillStyle = '#f4efe6';
      pen.arc(w / 2, h / 2, h / 3, 0, 7);
      pen.fill();
      if (isNoisy) {
        const grain = new OffscreenCanvas(128, 128);
        const dots = crypto.getRandomValues(new Uint8ClampedArray(128 * 128 * 4));
        grain.getContext('2d')?.putImageData(new ImageData(dots, 128, 128), 0, 0);
        pen.globalAlpha = 0.3;
        pen.fillStyle = pen.createPattern(grain, 'repeat') ?? '';
        pen.fillRect(0, 0, w, h);
      }
      const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.95 });
      const bytes = new Uint8Array(await blob.arrayBuffer());
      return (bytes as Uint8Array & { toBase64: () => string }).toBase64();
    },
    { w: width, h: height, isNoisy: noise, hue: 37 * ++shades },
  );
  return { name: 'IMG_2041.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(base64, 'base64') };
}

/** Returns the address of the picture in `scope`, once the browser has loaded it. */
export async function shownIn(scope: Locator): Promise<string> {
  const image = scope.locator('.dish-picture-photograph img').first();
  await image.waitFor();
  const isLoaded = (): Promise<boolean> =>
    image.evaluate((each: HTMLImageElement) => each.complete && each.naturalWidth > 0);
  await until(isLoaded, { what: 'the picture' });
  return image.evaluate((each: HTMLImageElement) => each.currentSrc);
}
