/**
 * Counts a JPEG's scans: how many times a decoder goes over its pixels. Each scan begins with a start-of-scan marker [ITU-T T.81,
 * B.2]. A progressive JPEG can contain any number of scans of only a few bytes each. But each scan takes time, more for larger
 * pictures.
 *
 * Reads the markers as a decoder would: skips the content of segments, and any other bytes between two markers.
 */
export function countJpegScans(jpeg: Buffer): number {
  let scans = 0;
  let at = 2; // skips the start-of-image marker
  for (;;) {
    at = jpeg.indexOf(0xff, at);
    if (at === -1) return scans;
    while (jpeg[at] === 0xff) at++;
    const marker = jpeg[at++];
    if (marker === undefined || marker === endOfImage) return scans;
    if (marker === startOfScan) scans++;
    if (hasContent(marker) && at + 2 <= jpeg.length) at += jpeg.readUInt16BE(at);
  }
}

const startOfScan = 0xda;
const endOfImage = 0xd9;
/**
 * Returns true if a segment with content follows this marker. Returns false for restart markers and for zero, because 0xff
 * followed by zero is pixel data.
 */
const hasContent = (marker: number): boolean => marker >= 0xc0 && (marker < 0xd0 || marker > 0xd8);
