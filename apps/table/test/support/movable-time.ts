import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The time of a whole stack, which a test moves. */
export type MovableTime = {
  /** For the services: they follow this time. */
  settings: Record<string, string>;
  /** Sets it to this many minutes after the machine's time; it goes on from there. */
  moveTo: (minutes: number) => void;
  close: () => void;
};

export function createMovableTime(): MovableTime {
  const folder = mkdtempSync(join(tmpdir(), 'time-'));
  const file = join(folder, 'offset');
  const moveTo = (minutes: number): void => {
    writeFileSync(`${file}.next`, String(minutes * 60_000));
    renameSync(`${file}.next`, file); // nobody reads half of it
  };
  moveTo(0);
  const preload = new URL('./follow-movable-time.ts', import.meta.url);
  return {
    settings: { TIME_OFFSET_FILE: file, NODE_OPTIONS: `--import=${preload.href}` },
    moveTo,
    close: () => rmSync(folder, { recursive: true }),
  };
}
