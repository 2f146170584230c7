import type { Logger } from './logger.ts';

export type OutageLog = { failed: (error: unknown) => void; worked: () => void };

/** Creates a log that warns when something fails for the first time, and again only after it has worked in between. */
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
