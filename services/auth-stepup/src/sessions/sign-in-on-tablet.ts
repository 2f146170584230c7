import { problem, Problem } from '@comanda/contracts/problem';
import type { TokenPair } from '@comanda/contracts/sessions';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { PinHasher } from '../pin/pin-hasher.ts';
import type { RecordSecurityEvent } from '../security-log/record-security-event.ts';
import type { Origin } from '../security-log/security-event.ts';
import { findTablet, type FindTabletDeps } from '../tablets/find-tablet.ts';
import { matchesTabletPin } from '../tablets/hash-tablet-pin.ts';
import type { Attempt, TabletAttemptStore, TakenAttempt } from '../tablets/tablet-attempt-store.ts';
import type { TabletPinHolder, TabletPinStore } from '../tablets/tablet-pin-store.ts';
import type { TabletStore } from '../tablets/tablet-store.ts';
import { tabletPinBlocked } from '../tablets/tablet.ts';
import { beginSession, type BeginSessionDeps } from './begin-session.ts';

export type SignInOnTabletDeps = BeginSessionDeps &
  FindTabletDeps & {
    tablets: Pick<TabletStore, 'noteUse'>;
    tabletPins: Pick<TabletPinStore, 'findByUser'>;
    tabletAttempts: TabletAttemptStore;
    pinHasher: PinHasher;
    recordSecurityEvent: RecordSecurityEvent;
    logger: Logger;
  };
type SignInInput = { tablet_credential: string; user_id: number; tablet_pin: string };
type Counted = Extract<TakenAttempt, { kind: 'counted' }>;

/**
 * Exchanges a tablet's credential and a user's tablet PIN for a pair of tokens. A wrong PIN and a user who may not sign in here
 * get the same response after the same time. An attempt counts as wrong unless its PIN was right.
 * @throws 401 `tablet_invalid`; 403 `tablet_pin_invalid`; 429 `tablet_pin_blocked`; 503 `service_unavailable`
 */
export async function signInOnTablet(
  deps: SignInOnTabletDeps,
  { tablet_credential: credential, user_id: userId, tablet_pin: pin }: SignInInput,
  origin: Origin,
): Promise<TokenPair> {
  const { tablets, tabletPins, tabletAttempts, recordSecurityEvent, clock } = deps;
  const tablet = await findTablet(deps, credential);
  const holder = await tabletPins.findByUser(userId);
  const attempt: Attempt = { tabletId: tablet.id, userId, pinId: holder?.pin.id ?? null };
  const taken = await tabletAttempts.take(attempt, clock());
  if (taken.kind === 'blocked') throw tabletPinBlocked(taken.until, clock());

  const isRight = await matchPin(deps, { attempt, taken, holder, pin, origin });
  if (!holder || !isRight) throw refuse(deps, { holder, taken, origin });
  await tabletAttempts.forget(attempt, taken.attemptId);
  const onTablet = { id: tablet.id, pinId: holder.pin.id };
  const pair = await beginSession(deps, { user: holder.user, seat: null, tablet: onTablet }, origin);
  await tablets.noteUse(tablet.id, { at: clock(), userId });
  await recordSecurityEvent({ userId, type: 'signed_in_on_tablet', origin });
  return pair;
}

type Match = { attempt: Attempt; taken: Counted; holder: TabletPinHolder | null; pin: string; origin: Origin };
/**
 * Checks the tablet PIN. If the check has no result, the attempt is removed from the count. If the removal fails too, the attempt
 * may still count, so the problem has `outcome: 'unknown'`.
 */
async function matchPin(
  { pinHasher, tabletAttempts, logger }: SignInOnTabletDeps,
  { attempt, taken, holder, pin, origin }: Match,
): Promise<boolean> {
  try {
    return await matchesTabletPin(pinHasher, { pin, userId: attempt.userId, origin }, holder && holder.pin);
  } catch (error) {
    await tabletAttempts.release(attempt, taken.attemptId).catch((failure: unknown) => {
      logger.warn({ err: failure, user_id: attempt.userId }, 'an attempt without a result was counted');
      if (error instanceof Problem) error.members.outcome = 'unknown';
    });
    throw error;
  }
}

type Refused = { holder: TabletPinHolder | null; taken: Counted; origin: Origin };
function refuse(
  { recordSecurityEvent, logger, clock }: SignInOnTabletDeps,
  { holder, taken: { remaining, until }, origin }: Refused,
): Problem {
  const type = remaining === 0 ? 'tablet_pin_blocked' : 'tablet_pin_wrong';
  // Not awaited, so that the response time does not reveal whether this user may sign in here.
  if (holder) void recordSecurityEvent({ userId: holder.user.id, type, origin });
  else logger.info('sign-in on a tablet failed: nobody with this id may sign in there');
  return remaining === 0
    ? tabletPinBlocked(until, clock())
    : problem('tablet_pin_invalid', { attempts_remaining: remaining });
}
