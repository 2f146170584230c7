import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

/** How many bytes at a log's end are read at first. */
const tailBytes = 200_000;

/** Opens a growing file. `read` returns the complete new lines since the last call, and at first the file's end. */
type GrowingFile = { read: () => string[] };

export function openGrowingFile(path: string): GrowingFile {
  let position: number | null = null;
  let rest = Buffer.alloc(0); // the start of an incomplete line

  function read(): string[] {
    if (!existsSync(path)) return [];
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      const isFirst = position === null;
      position ??= Math.max(0, size - tailBytes);
      if (size < position) [position, rest] = [0, Buffer.alloc(0)]; // a new run of npm start truncated the file
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
