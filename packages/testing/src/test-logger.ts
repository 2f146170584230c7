import { createLogger, type Logger } from '@comanda/shared/runtime/logger';
import { createLogCollector } from './log-collector.ts';

type Options = {
  level?: string;
  /** Called with every line at `level` or above, for tests that check the log. */
  onLine?: (line: string) => void;
};

/**
 * Creates a logger for a service's test harness. It prints nothing, but if a test fails, Jest prints the lines of level warn or
 * above. `TEST_LOG=info` immediately prints every line of level info or above.
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
