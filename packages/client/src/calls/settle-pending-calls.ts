import type { Caller } from './call.ts';
import { CallFailure, isFinal } from '../call-failure.ts';
import { timeLimit } from '../time-limit.ts';
import type { Input } from './call-types.ts';
import { routes } from './calls.ts';
import type { PendingCall } from './pending-calls.ts';

/**
 * A pending call with its result. `not_done` means that the call had no effect. `unknown` means that the server could not be
 * reached, so the call may have succeeded.
 */
export type SettledCall = PendingCall & { outcome: 'done' | 'not_done' | 'unknown' };

const timeLimitMs = 5000;

export const needsConsent = ({ call }: PendingCall): boolean => routes[call].stepUp !== undefined;

/**
 * Finds out the results of calls that need authorization. It repeats each call with the same idempotency key but without
 * authorization: if the call has already succeeded, the server returns the stored result, otherwise it rejects the call. Calls
 * that need no authorization can't be checked this way, because the server would carry them out.
 */
export async function settlePendingCalls(ask: Caller, pending: readonly PendingCall[]): Promise<SettledCall[]> {
  const { signal, end } = timeLimit(timeLimitMs);
  async function settle(each: PendingCall): Promise<SettledCall> {
    try {
      const options = { idempotencyKey: each.key, signal, consent: 'never' } as const;
      await ask(each.call, each.input as Input<typeof each.call>, options);
      return { ...each, outcome: 'done' };
    } catch (error) {
      if (!(error instanceof CallFailure) && !signal.aborted) throw error;
      return { ...each, outcome: isFinal(error) ? 'not_done' : 'unknown' };
    }
  }
  return Promise.all(pending.map(settle)).finally(end);
}
