import type { RecordSecurityEvent } from '../security-log/record-security-event.ts';
import type { Origin } from '../security-log/security-event.ts';
import type { UserStore } from '../users/user-store.ts';

type EndAllSessionsDeps = { users: Pick<UserStore, 'updateAndEndSessions'>; recordSecurityEvent: RecordSecurityEvent };

/** Ends all sessions of a user, also the one that asks. */
export async function endAllSessions(
  { users, recordSecurityEvent }: EndAllSessionsDeps,
  { userId, origin }: { userId: number; origin: Origin },
): Promise<void> {
  await users.updateAndEndSessions(userId, {});
  await recordSecurityEvent({ userId, type: 'sessions_ended', origin });
}
