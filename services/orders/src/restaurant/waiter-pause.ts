import { problem } from '@comanda/contracts/problem';
import { waiterPauseMinutes } from '@comanda/contracts/rules';
import type { OrderingPause } from './ordering-pause.ts';

/** `before`: the current pause. `until`: the end of the new pause; null to resume ordering. */
type Change = { before: Pick<OrderingPause, 'until'>; until: Date | null };

/**
 * Checks that a waiter may make this change. Waiters pause briefly while the kitchen is busy, and must not end a longer pause
 * that a manager has set.
 * @throws 422 `unprocessable_content` if the new pause is too long; 403 `forbidden` if the current pause is
 */
export function checkWaiterPause({ before, until }: Change, now: Date): void {
  if (isLong(until, now)) throw tooLong();
  if (isLong(before.until, now)) throw problem('forbidden', { detail: longPause });
}

const maxPauseMs = waiterPauseMinutes * 60_000;
const isLong = (until: Date | null, now: Date): boolean =>
  until !== null && until.getTime() - now.getTime() > maxPauseMs;

const longPause = `Ordering is paused for longer than ${waiterPauseMinutes} minutes. Only a manager can change or end this pause.`;
const tooLong = () =>
  problem('unprocessable_content', {
    errors: [
      {
        pointer: '/paused_until',
        detail: `must be at most ${waiterPauseMinutes} minutes from now for a waiter: send an earlier time, or ask a manager`,
      },
    ],
  });
