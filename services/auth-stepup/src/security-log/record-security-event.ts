import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Origin, Purpose, SecurityEventType } from './security-event.ts';
import type { SecurityLogStore } from './security-log-store.ts';

/** Adds an event to the user's list. Never fails: the event has happened, and the request is answered accordingly. */
export type RecordSecurityEvent = (event: {
  userId: number;
  type: SecurityEventType;
  origin: Origin;
  purpose?: Purpose;
}) => Promise<void>;
type Options = { store: Pick<SecurityLogStore, 'insert'>; logger: Logger; clock: Clock };

export const createSecurityEventRecorder =
  ({ store, logger, clock }: Options): RecordSecurityEvent =>
  async ({ userId, type, origin, purpose }) => {
    try {
      await store.insert({ userId, type, time: clock(), ...origin, ...(purpose && { purpose }) });
    } catch (error) {
      logger.error({ err: error, user_id: userId, type }, 'a security event could not be stored');
    }
  };
