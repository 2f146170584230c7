/** A source of log lines from a service. */
export type LogSource = {
  name: string;
  /** Returns the lines since the previous call, at most the last 50. */
  takeLines: () => string[];
};
export type LogCollector = { write: (chunk: string) => void };

const maxLines = 50;
const harmless = /^\{.*"level":"(trace|debug|info)"/;

declare global {
  /** scripts/jest/environment.mjs reads this set and prints its lines when a test fails. */
  var comandaLogSources: Set<LogSource> | undefined;
}

/**
 * Collects the last 50 log lines of a service that have level warn or above or are not JSON, such as a stack trace. Jest prints
 * them when a test fails. Each test file has its own registry.
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
