import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

type Span = { ms?: number; minutes?: number; days?: number };
/** Returns the test's own time in milliseconds since the epoch. The time changes only when the test calls `advance`. */
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

/** A test clock for several processes. Whenever they need the time, they read it from `file`. */
export type SharedTestClock = TestClock & { file: string; close: () => void };

/** Creates a clock for this process, and for all processes that have the path of its `file` in the variable CLOCK_FILE. */
export function createSharedTestClock(): SharedTestClock {
  const folder = mkdtempSync(join(tmpdir(), 'clock-'));
  const file = join(folder, 'now');
  const clock = createTestClock();
  const write = (): void => {
    writeFileSync(`${file}.next`, String(clock()));
    renameSync(`${file}.next`, file); // Renamed, so that no process reads a file that is only half written.
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
