import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Metrics } from '@comanda/shared/runtime/metrics';
import { createSecurityEventMetrics } from './security-event-metrics.ts';
import type { Origin, Purpose, SecurityEventType } from './security-event.ts';
import type { SecurityLogStore } from './security-log-store.ts';

/** Adds an event to the user's list. Never fails, because the event has already happened, whether or not it can be stored. */
export type RecordSecurityEvent = (event: {
  userId: number;
  type: SecurityEventType;
  origin: Origin;
  purpose?: Purpose;
}) => Promise<void>;
type Options = { store: Pick<SecurityLogStore, 'insert'>; metrics: Metrics; logger: Logger; clock: Clock };

export function createSecurityEventRecorder({ store, metrics, logger, clock }: Options): RecordSecurityEvent {
  const { count } = createSecurityEventMetrics(metrics);
  return async ({ userId, type, origin, purpose }) => {
    count(type);
    try {
      await store.insert({ userId, type, time: clock(), ...origin, ...(purpose && { purpose }) });
    } catch (error) {
      logger.error({ err: error, user_id: userId, type }, 'a security event could not be stored');
    }
  };
}
