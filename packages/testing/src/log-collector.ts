/** A service whose log lines are printed when a test fails. */
export type LogSource = {
  name: string;
  /** Returns the lines since the last call, but at most the last 50. */
  takeLines: () => string[];
};
export type LogCollector = { write: (chunk: string) => void };

const maxLines = 50;
const harmless = /^\{.*"level":"(trace|debug|info)"/;

declare global {
  /** The log sources of the current test file. scripts/jest/environment.mjs prints their lines when a test fails. */
  var comandaLogSources: Set<LogSource> | undefined;
}

/**
 * Collects a service's last 50 log lines of level warn or above, and lines that are not JSON, such as stack traces. Jest prints
 * them when a test fails. Each test file has its own set of log collectors.
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
