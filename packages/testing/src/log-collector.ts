/** A source of a service's log lines. */
export type LogSource = {
  name: string;
  /** Returns the last 50 lines since the previous call. */
  takeLines: () => string[];
};
export type LogCollector = { write: (chunk: string) => void };

const maxLines = 50;
const harmless = /^\{.*"level":"(trace|debug|info)"/;

declare global {
  /** scripts/jest/environment.mjs reads this set and prints the lines with a failed test. */
  var comandaLogSources: Set<LogSource> | undefined;
}

/**
 * Creates a collector for a service's log: the last 50 lines of level warn and above, and lines that are not JSON, such as a
 * stack trace. Jest prints them with a failed test. There is one registry per test file.
 */
export function createLogCollector(name: string): LogCollector {
  const lines: string[] = [];
  let unfinished = '';
  (globalThis.comandaLogSources ??= new Set()).add({ name, takeLines: () => lines.splice(0) });
  return {
    write: (chunk) => {
      const parts = (unfinished + chunk).split('\n');
      unfinished = parts.pop() ?? '';
      for (const line of parts) if (line.trim() !== '' && !harmless.test(line)) lines.push(line);
      if (lines.length > maxLines) lines.splice(0, lines.length - maxLines);
    },
  };
}
