import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Span = { ms?: number; minutes?: number; days?: number };
/** A test's own time in milliseconds since the epoch, which changes only when the test advances it. */
export type TestClock = { (): number; advance: (span: Span) => void };

const minuteMs = 60_000;

export function createTestClock(): TestClock {
  let now = Date.now();
  return Object.assign(() => now, {
    advance: ({ ms = 0, minutes = 0, days = 0 }: Span) => {
      now += ms + minutes * minuteMs + days * 24 * 60 * minuteMs;
    },
  });
}

/** A test clock for several processes, which read the time from `file` when they need it. */
export type SharedTestClock = TestClock & { file: string; close: () => void };

/** Creates a clock for this process and for all processes that get its `file` as CLOCK_FILE. */
export function createSharedTestClock(): SharedTestClock {
  const folder = mkdtempSync(join(tmpdir(), 'clock-'));
  const file = join(folder, 'now');
  const clock = createTestClock();
  const write = (): void => {
    writeFileSync(`${file}.next`, String(clock()));
    renameSync(`${file}.next`, file); // Renaming keeps other processes from reading a half-written file.
  };
  write();
  return Object.assign(() => clock(), {
    file,
    advance: (span: Span) => {
      clock.advance(span);
      write();
    },
    close: () => rmSync(folder, { recursive: true }),
  });
}

/** Returns a function that reads the time from the clock file that another process writes. */
export const readTestClock =
  (file: string): (() => number) =>
  () =>
    Number(readFileSync(file, 'utf8'));
