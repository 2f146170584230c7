import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import { serviceOrigin, type Purpose } from './security-event.ts';
import type { NewEvent, SecurityLogStore } from './security-log-store.ts';

/**
 * Queues `step_up_spent` for the user's list. Returns immediately and never fails: the token is already spent, and a payment is
 * waiting.
 */
export type RecordSpentToken = (spent: { userId: number; purpose: Purpose }) => void;
type Options = { store: Pick<SecurityLogStore, 'insertAll'>; logger: Logger; clock: Clock };

/**
 * How long events wait to be stored together, in milliseconds. Inserting several events at once costs as much as inserting one.
 */
const togetherMs = 100;

/**
 * Creates a recorder that collects events for a tenth of a second, or while earlier events are being stored, and then stores them
 * together.
 */
export function createSpentTokenRecorder({ store, logger, clock }: Options) {
  let waiting: NewEvent[] = [];
  let storing: Promise<void> | null = null;
  const closing = new AbortController();

  async function storeAll(): Promise<void> {
    while (waiting.length > 0) {
      await sleep(togetherMs, undefined, { signal: closing.signal }).catch(() => undefined); // close() ends this pause early
      const events = waiting;
      waiting = [];
      try {
        await store.insertAll(events);
      } catch (error) {
        logger.error({ err: error, count: events.length }, 'events of spent tokens could not be stored');
      }
    }
    storing = null;
  }
  const record: RecordSpentToken = ({ userId, purpose }) => {
    waiting.push({ userId, type: 'step_up_spent', time: clock(), ...serviceOrigin, purpose });
    storing ??= storeAll();
  };
  return {
    record,
    /** Stores the waiting events immediately and returns when they are stored. */
    close: async (): Promise<void> => {
      closing.abort();
      await storing;
    },
  };
}
