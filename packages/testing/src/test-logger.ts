import { createLogger, type Logger } from '@comanda/shared/runtime/logger';
import { createLogCollector } from './log-collector.ts';

type Options = {
  level?: string;
  /** Gets every line of that level, for tests that look at the log. */
  onLine?: (line: string) => void;
};

/**
 * The logger of a harness. It prints nothing; what it logs at level warn and above is printed with a test that fails.
 * `TEST_LOG=info` prints every line of that level at once.
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
