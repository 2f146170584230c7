import type { PendingCalls } from './calls/pending-calls.ts';
import { readStoredSession, whoOf, type Who } from './session/session.ts';
import type { Storage } from './session/storage.ts';

/** One of several apps on the same origin, such as one for guests and one for staff. It has its own session. */
export type OwnApp = {
  /** Part of the names of stored items, for example `kitchen`. */
  name: string;
  /**
   * Checks whether this app takes over this user's session, which was stored for all programs of the origin (without `app`). The
   * session is moved, not copied: two programs with one refresh token would look like a theft.
   */
  takesOver: (who: Who) => boolean;
};

type Move = { storage: Storage; from: string; to: string };

/**
 * Moves a session that all programs share to this app, if its user belongs to the app. If this app already has a session, the app
 * keeps it.
 */
export function takeOverSession({ storage, from, to }: Move, { takesOver }: OwnApp): void {
  const shared = readStoredSession(storage, from);
  const who = whoOf(shared);
  if (!who || !takesOver(who)) return;
  // Removed first, because a full storage has no room for both.
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
