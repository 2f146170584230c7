/**
 * How many times a JPEG goes over its pixels, by its starts of scans [ITU-T T.81, B.2]. A progressive one can have any number of
 * them in a few bytes each, and each takes as long as the picture is large.
 *
 * Reads the markers like a decoder: skips the content of segments, and anything else between two markers.
 */
export function countJpegScans(jpeg: Buffer): number {
  let scans = 0;
  let at = 2; // after the start of the image
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
/** Excludes zero, which stands for 0xff among pixels, and the restarts among them. */
const hasContent = (marker: number): boolean => marker >= 0xc0 && (marker < 0xd0 || marker > 0xd8);
