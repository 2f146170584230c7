import type { Logger } from './logger.ts';

export type OutageLog = { failed: (error: unknown) => void; worked: () => void };

/**
 * Creates a log for something that may fail repeatedly. It logs a warning for the first failure, and another one only if there
 * was a success in between.
 */
export function createOutageLog(logger: Pick<Logger, 'warn'>, fields: object, message: string): OutageLog {
  let isOut = false;
  return {
    failed: (error) => {
      if (!isOut) logger.warn({ err: error, ...fields }, message);
      isOut = true;
    },
    worked: () => (isOut = false),
  };
}
