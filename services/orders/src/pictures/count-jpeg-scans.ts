/**
 * Counts how many times a JPEG goes over its pixels, by its start-of-scan markers [ITU-T T.81, B.2]. A progressive JPEG can
 * contain any number of scans in a few bytes each, and each scan takes as much time as the picture is large.
 *
 * Reads the markers as a decoder would: skips the content of segments, and anything else between two markers.
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
 * Returns true if the marker is followed by a segment. Excludes zero, which stands for 0xff in pixel data, and restart markers.
 */
const hasContent = (marker: number): boolean => marker >= 0xc0 && (marker < 0xd0 || marker > 0xd8);
