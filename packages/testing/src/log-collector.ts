/** A source of log lines of a service. */
export type LogSource = {
  name: string;
  /** The last 50 lines since the last call. */
  takeLines: () => string[];
};
export type LogCollector = { write: (chunk: string) => void };

const maxLines = 50;
const harmless = /^\{.*"level":"(trace|debug|info)"/;

declare global {
  /** Read by scripts/jest/environment.mjs, which prints these lines with a failed test. */
  var comandaLogSources: Set<LogSource> | undefined;
}

/**
 * Collects what a service logs: the last 50 lines of level warn and above, and lines that are not JSON, such as a
 * stack. Jest prints them with a failed test. There is one registry for each test file.
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
