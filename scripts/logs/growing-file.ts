import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

/** So much of a log is read at first. */
const tailBytes = 200_000;

/** A file that grows. `read` returns the whole lines that are new since the last call; at first the end of the file. */
type GrowingFile = { read: () => string[] };

export function openGrowingFile(path: string): GrowingFile {
  let position: number | null = null;
  let rest = Buffer.alloc(0); // of a line that is not complete

  function read(): string[] {
    if (!existsSync(path)) return [];
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      const isFirst = position === null;
      position ??= Math.max(0, size - tailBytes);
      if (size < position) [position, rest] = [0, Buffer.alloc(0)]; // a new run of npm start
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
