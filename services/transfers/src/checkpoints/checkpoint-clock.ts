import type { Logger } from '@comanda/shared/runtime/logger';
import type { Checkpoint } from './checkpoint.ts';

type Options = {
  make: (now: number) => Promise<Checkpoint[]>;
  everyMs: number;
  /** Nothing is tried while the database is away. */
  isUp: () => boolean;
  logger: Logger;
};

/**
 * Makes checkpoints, once a period over all instances or a little more often. Each is logged with its signature, so that
 * whoever takes it out of the database has to take it out of the logs as well.
 */
export function startCheckpoints({ make, everyMs, isUp, logger }: Options): { close: () => Promise<void> } {
  let under: Promise<void> = Promise.resolve();
  async function once(): Promise<void> {
    try {
      for (const { number, heads, jws } of await make(Date.now()))
        logger.info({ checkpoint: number, heads: heads.length, jws }, 'checkpoint');
    } catch (error) {
      logger.warn({ err: error }, 'no checkpoint was made; the next one will have its heads as well');
    }
  }
  const timer = setInterval(() => {
    if (isUp()) under = under.then(once);
  }, everyMs);
  return {
    close: () => {
      clearInterval(timer);
      return under;
    },
  };
}
