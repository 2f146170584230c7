import { createLogger, type Logger } from '@comanda/shared/runtime/logger';
import { createLogCollector } from './log-collector.ts';

type Options = {
  level?: string;
  /** Called with every line at `level` or above. For tests that check the log. */
  onLine?: (line: string) => void;
};

/**
 * Creates a harness's logger. It is silent, but lines of level warn and above are printed when a test fails. `TEST_LOG=info`
 * prints every line of that level or above immediately.
 */
export function createTestLogger(service: string, { level = 'warn', onLine }: Options = {}): Logger {
  const printed = process.env['TEST_LOG'];
  const collector = createLogCollector(service);
  return createLogger(
    { service, level: printed ?? level },
    {
      write: (line) => {
        collector.write(line);
        onLine?.(line);
        if (printed !== undefined) process.stderr.write(line);
      },
    },
  );
}
