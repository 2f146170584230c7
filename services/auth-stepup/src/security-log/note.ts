import type { Logger } from '@comanda/shared/runtime/logger';
import type { Note } from './security-log.ts';
import type { SecurityLogStore } from './security-log-store.ts';

type Options = { log: SecurityLogStore; logger: Logger; clock: () => number };

/** Notes in the store; one that can't be kept there is in the log. */
export const createNote =
  ({ log, logger, clock }: Options): Note =>
  async (userId, type, origin) => {
    try {
      await log.insert({ userId, type, time: clock(), ...origin });
    } catch (error) {
      logger.error({ err: error, user_id: userId, type }, 'a security event could not be kept');
    }
  };
