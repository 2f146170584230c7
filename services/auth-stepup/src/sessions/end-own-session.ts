import { problem } from '@comanda/contracts/problem';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { RecordSecurityEvent } from '../security-log/record-security-event.ts';
import type { Origin } from '../security-log/security-event.ts';
import type { SessionStore } from './session-store.ts';

type EndOwnSessionDeps = {
  sessions: Pick<SessionStore, 'revokeOf'>;
  recordSecurityEvent: RecordSecurityEvent;
  clock: Clock;
};

/**
 * Ends one of the user's own sessions. Ending the session again has no effect.
 * @throws 404 `not_found` if this user has no such session
 */
export async function endOwnSession(
  { sessions, recordSecurityEvent, clock }: EndOwnSessionDeps,
  { id, userId }: { id: string; userId: number },
  origin: Origin,
): Promise<void> {
  const result = await sessions.revokeOf(userId, { id, now: clock() });
  if (result === 'unknown') throw problem('not_found');
  if (result === 'ended') await recordSecurityEvent({ userId, type: 'session_ended', origin });
}
