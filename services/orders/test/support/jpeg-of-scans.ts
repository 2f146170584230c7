import type { PictureFile } from './picture-files.ts';

const segment = (marker: number, content: readonly number[]): Buffer =>
  Buffer.from([0xff, marker, (content.length + 2) >> 8, (content.length + 2) & 0xff, ...content]);
const twoBytes = (value: number): number[] => [value >> 8, value & 0xff];
const components = [1, 2, 3];

/** Encodes bits as a scan's pixel data: fills up the last byte with ones, and adds a zero after each 0xff. */
function entropyCoded(bits: string): Buffer {
  const bytes = (bits.match(/.{1,8}/g) ?? []).map((each) => Number.parseInt(each.padEnd(8, '1'), 2));
  return Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [0xff, 0] : [byte])));
}

/** Returns the bits for `blocks` blocks whose coefficients are all zero, in runs of up to 32,767 blocks [ITU-T T.81, G.1.2.2]. */
function zeros(blocks: number): string {
  let bits = '';
  for (let left = blocks; left > 0;) {
    const run = Math.min(left, 32_767);
    const category = Math.floor(Math.log2(run));
    const extra = category === 0 ? '' : (run - 2 ** category).toString(2).padStart(category, '0');
    bits += category.toString(2).padStart(4, '0') + extra;
    left -= run;
  }
  return bits;
}

/**
 * Builds a valid grey progressive JPEG with up to 2,647 scans. Each scan after the first one contains one bit of one coefficient
 * for the whole picture, and takes only a few bytes.
 */
export function jpegOfScans(scans: number, { width = 64, height = 48 } = {}): PictureFile {
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8);
  const frame = [8, ...twoBytes(height), ...twoBytes(width), 3, ...components.flatMap((id) => [id, 0x11, 0])];
  const none = Array.from({ length: 16 }, () => 0);
  const runs = Array.from({ length: 15 }, (_each, category) => category << 4);
  const first = [
    segment(0xda, [3, ...components.flatMap((id) => [id, 0]), 0, 0, 0]),
    entropyCoded('0'.repeat(3 * blocks)),
  ];
  const data = entropyCoded(zeros(blocks));
  const others = components.flatMap((id) =>
    Array.from({ length: 63 * 14 }, (_each, at) => {
      const [coefficient, bit] = [1 + Math.floor(at / 14), 13 - (at % 14)];
      const before = bit === 13 ? 0 : bit + 1;
      return Buffer.concat([segment(0xda, [1, id, 0, coefficient, coefficient, (before << 4) | bit]), data]);
    }),
  );
  const file = [
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...Array.from({ length: 64 }, () => 1)]),
    segment(0xc2, frame),
    segment(0xc4, [0x00, ...none.with(0, 1), 0]), // one code of one bit: no difference from the block before
    segment(0xc4, [0x10, ...none.with(3, 15), ...runs]), // codes of four bits
    ...first,
    ...others.slice(0, scans - 1),
    Buffer.from([0xff, 0xd9]),
  ];
  return { type: 'image/jpeg', bytes: new Uint8Array(Buffer.concat(file)) };
}
