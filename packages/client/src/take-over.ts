import type { PendingCalls } from './calls/pending-calls.ts';
import { readStoredSession, whoOf, type Who } from './session/session.ts';
import type { Storage } from './session/storage.ts';

/** One of several apps on the same origin, such as one for guests and one for staff. It has its own session. */
export type OwnApp = {
  /** The app's part in the names of stored items, for example `kitchen`. */
  name: string;
  /**
   * Checks whether this app adopts this user's session, which was stored for all programs on the origin (without `app`). The
   * session is moved instead of copied, because two programs with one refresh token would look like theft.
   */
  takesOver: (who: Who) => boolean;
};

type Move = { storage: Storage; from: string; to: string };

/** Moves a shared session to this app if its user belongs to the app. An existing session of the app stays. */
export function takeOverSession({ storage, from, to }: Move, { takesOver }: OwnApp): void {
  const shared = readStoredSession(storage, from);
  const who = whoOf(shared);
  if (!who || !takesOver(who)) return;
  // The shared session is removed first, because a full storage has no room for both.
  storage.removeItem(from);
  if (!readStoredSession(storage, to)) storage.setItem(to, JSON.stringify(shared));
}

/** Moves calls without a response that this user made before the app had a name. */
export function takeOverCalls(from: PendingCalls, to: PendingCalls, { userId }: Who): void {
  for (const call of from.all(userId)) {
    to.begin(call, userId);
    to.end(call.key, 'unanswered');
  }
  from.removeAllOf(userId);
}
