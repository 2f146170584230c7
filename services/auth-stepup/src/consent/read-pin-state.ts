import type { PinState } from '@comanda/contracts/security';
import type { PinDesk } from './check-pin.ts';
import { mostAttempts } from './consent-store.ts';
import { noSuchUser } from './pin-problems.ts';
import { limitOf } from './pin.ts';
import type { PinHolder } from './pin-store.ts';

/** Whether the user has a PIN, whether it is blocked and until when, and how many tries are left. @throws 503 */
export async function readPinState({ store, pins, rules, clock }: PinDesk, userId: number): Promise<PinState> {
  const [counted, holder] = await Promise.all([store.attempts(userId), pins.byUser(userId)]);
  if (holder?.status !== 'active') throw noSuchUser();
  const { pin } = holder;
  if (!pin) return { status: 'absent' };
  const now = clock();
  const created_at = new Date(pin.createdAt).toISOString();
  const limit = limitOf(pin, rules.lifetimeFailures);
  if (limit === 0) return { status: 'blocked', created_at };
  const until = Math.max(pin.blockedUntil ?? 0, counted.blockedUntil);
  if (until > now) return { status: 'blocked', created_at, blocked_until: new Date(until).toISOString() };
  // A block that is over takes its count along.
  const wrong = counted.blockedUntil > 0 ? 0 : counted.wrong;
  return { status: 'usable', created_at, attempts_remaining: Math.max(0, limit - wrong) };
}

/** What is said of a PIN that has just been set. */
export const freshPinState = ({ pin }: PinHolder): PinState => ({
  status: 'usable',
  created_at: new Date(pin?.createdAt ?? 0).toISOString(),
  attempts_remaining: mostAttempts,
});
