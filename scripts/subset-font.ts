import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

type SubsetFont = (
  font: Buffer,
  text: string,
  options: { targetFormat: 'woff2'; variationAxes: { wght: { min: number; max: number } } },
) => Promise<Buffer>;

// Generates the web apps' font file: Inter's Latin letters, digits and signs, in weights 400 to 800 with tabular figures. Run this
// script after you update @fontsource-variable/inter, and commit the result.
const require = createRequire(import.meta.url);
const subsetFont = require('subset-font') as SubsetFont;

const range = (first: number, last: number): string =>
  String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, index) => first + index));
const characters = `${range(0x20, 0x7e)}${range(0xa0, 0xff)}ŒœŠšŽžŸ–—‘’‚“”„•…‹›€−×÷←↑→↓`;

const source = await readFile(require.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'));
const font = await subsetFont(source, characters, {
  targetFormat: 'woff2',
  variationAxes: { wght: { min: 400, max: 800 } },
});
await writeFile(fileURLToPath(new URL('../packages/ui/src/inter.woff2', import.meta.url)), font);
console.log(`inter.woff2: ${font.length} bytes`);
