import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

/** How many bytes to read from the end of a log at first. */
const tailBytes = 200_000;

/**
 * A growing file. The first `read` returns the file's last lines. Each later `read` returns the complete lines that were added
 * since the previous one.
 */
type GrowingFile = { read: () => string[] };

export function openGrowingFile(path: string): GrowingFile {
  let position: number | null = null;
  let rest = Buffer.alloc(0); // the beginning of an incomplete line

  function read(): string[] {
    if (!existsSync(path)) return [];
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      const isFirst = position === null;
      position ??= Math.max(0, size - tailBytes);
      if (size < position) [position, rest] = [0, Buffer.alloc(0)]; // A new `npm start` has truncated the file.
      const startsInLine = isFirst && position > 0;
      const added = Buffer.alloc(size - position);
      position += readSync(file, added, 0, added.length, position);
      const text = Buffer.concat([rest, added]);
      const end = text.lastIndexOf('\n') + 1;
      rest = text.subarray(end);
      const lines = text.subarray(0, end).toString().split('\n').slice(0, -1);
      return startsInLine ? lines.slice(1) : lines;
    } finally {
      closeSync(file);
    }
  }
  return { read };
}
