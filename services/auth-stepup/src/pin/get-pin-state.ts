import type { PinState } from '@comanda/contracts/pin';
import { userNotActive } from '../users/user.ts';
import type { CheckPinDeps } from './check-pin.ts';
import type { PinHolder } from './pin-document.ts';
import { attemptsUntilBlock, maxAttempts, storedWrong } from './pin.ts';

type GetPinStateDeps = Pick<CheckPinDeps, 'pinChecks' | 'pins' | 'rules' | 'clock'>;

/** Returns whether the user has a PIN, whether and until when the PIN is blocked, and how many attempts remain. */
export async function getPinState(
  { pinChecks, pins, rules, clock }: GetPinStateDeps,
  { userId }: { userId: number },
): Promise<PinState> {
  const [attempts, holder] = await Promise.all([pinChecks.getAttempts(userId), pins.findByUser(userId)]);
  if (holder?.status !== 'active') throw userNotActive();
  const { pin } = holder;
  if (!pin) return { status: 'absent' };
  const now = clock();
  const created_at = new Date(pin.createdAt).toISOString();
  const maxWrong = attemptsUntilBlock(pin, rules.maxLifetimeFailures);
  if (maxWrong === 0) return { status: 'blocked', created_at };
  const until = Math.max(pin.blockedUntil ?? 0, attempts.blockedUntil);
  if (until > now) return { status: 'blocked', created_at, blocked_until: new Date(until).toISOString() };
  // After a block ends, the next attempt starts a new count.
  const inRedis = attempts.blockedUntil > 0 ? 0 : (attempts.wrong ?? 0);
  const wrong = Math.max(inRedis, storedWrong(pin, maxWrong));
  return { status: 'usable', created_at, attempts_remaining: Math.max(0, maxWrong - wrong) };
}

export const newPinState = ({ pin }: PinHolder): PinState => ({
  status: 'usable',
  created_at: new Date(pin?.createdAt ?? 0).toISOString(),
  attempts_remaining: maxAttempts,
});
