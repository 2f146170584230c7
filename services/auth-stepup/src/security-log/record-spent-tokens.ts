import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Logger } from '@comanda/shared/runtime/logger';
import { serviceOrigin, type Purpose } from './security-event.ts';
import type { NewEvent, SecurityLogStore } from './security-log-store.ts';

/**
 * Adds `step_up_spent` to the user's list soon. It does not wait and never fails: the token is spent, and a payment waits for it.
 */
export type RecordSpentToken = (spent: { userId: number; purpose: Purpose }) => void;
type Options = { store: Pick<SecurityLogStore, 'insertAll'>; logger: Logger; clock: Clock };

/** How long events wait to be stored together, because one insertion costs as much as several events. */
const togetherMs = 100;

/** Collects events for a tenth of a second, and while others are being stored, then stores them together. */
export function createSpentTokenRecorder({ store, logger, clock }: Options) {
  let waiting: NewEvent[] = [];
  let storing: Promise<void> | null = null;
  const closing = new AbortController();

  async function storeAll(): Promise<void> {
    while (waiting.length > 0) {
      await sleep(togetherMs, undefined, { signal: closing.signal }).catch(() => undefined); // ended early by close()
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
    /** Stores the waiting events at once. */
    close: async (): Promise<void> => {
      closing.abort();
      await storing;
    },
  };
}
