import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { inflateRawSync } from 'node:zlib';

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;

/**
 * Unpacks a ZIP archive's files into a folder, with their permissions. `targetOf` returns the path for a file in that folder, or
 * undefined if the file is not wanted. Accepts archives up to 4 GB without encryption, such as Python wheels.
 * @throws Error for any other archive
 */
export function unzip(archive: Buffer, folder: string, targetOf: (path: string) => string | undefined): void {
  const end = archive.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || archive.readUInt32LE(end) !== endOfDirectory) throw new Error('This is not a ZIP archive.');
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    if (archive.readUInt32LE(at) !== directoryEntry) throw new Error('The directory of the ZIP archive is damaged.');
    const nameLength = archive.readUInt16LE(at + 28);
    const path = archive.toString('utf8', at + 46, at + 46 + nameLength);
    const target = path.endsWith('/') ? undefined : targetOf(path);
    if (target !== undefined) {
      if (normalize(target).startsWith('..')) throw new Error(`The ZIP archive contains the path ${path}.`);
      mkdirSync(dirname(join(folder, target)), { recursive: true });
      const mode = (archive.readUInt32LE(at + 38) >>> 16) & 0o777;
      writeFileSync(join(folder, target), contentOf(archive, at), { mode: mode || 0o644 });
    }
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
}

/**
 * Returns the content of the file with this entry in the archive's directory. Skips the header in front of the content, whose
 * fields may have other lengths than those in the directory.
 */
function contentOf(archive: Buffer, entry: number): Buffer {
  const method = archive.readUInt16LE(entry + 10);
  const header = archive.readUInt32LE(entry + 42);
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  const packed = archive.subarray(start, start + archive.readUInt32LE(entry + 20));
  if (method === 0) return packed;
  if (method === 8) return inflateRawSync(packed);
  throw new Error(`The ZIP archive is compressed by method ${method}, which is unknown.`);
}
