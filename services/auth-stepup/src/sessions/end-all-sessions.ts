import type { Caller } from '@comanda/shared/http/token-verifier';
import type { RecordSecurityEvent } from '../security-log/record-security-event.ts';
import type { Origin } from '../security-log/security-event.ts';
import type { GuestStore } from '../tables/guest-store.ts';
import type { UserStore } from '../users/user-store.ts';

type EndAllSessionsDeps = {
  users: Pick<UserStore, 'updateAndEndSessions'>;
  guests: Pick<GuestStore, 'endSessions'>;
  recordSecurityEvent: RecordSecurityEvent;
};

/** Ends all sessions of a user or guest, including the session of the caller. */
export async function endAllSessions(
  { users, guests, recordSecurityEvent }: EndAllSessionsDeps,
  { caller: { userId, guest }, origin }: { caller: Pick<Caller, 'userId' | 'guest'>; origin: Origin },
): Promise<void> {
  if (guest) await guests.endSessions(userId);
  else await users.updateAndEndSessions(userId, {});
  await recordSecurityEvent({ userId, type: 'sessions_ended', origin });
}
