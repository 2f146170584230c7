import type { PendingCalls } from './calls/pending-calls.ts';
import { readStoredSession, whoOf, type Who } from './session/session.ts';
import type { Storage } from './session/storage.ts';

/** One of several apps on the same origin, such as one for guests and one for staff. Each app has its own session. */
export type OwnApp = {
  /** The app's name, which becomes part of the names of stored items, for example `kitchen`. */
  name: string;
  /**
   * Checks whether this app takes over this user's session, which was stored for all programs on the origin. The session is moved
   * and not copied: if two programs used the same refresh token, the server would treat it as stolen.
   */
  takesOver: (who: Who) => boolean;
};

type Move = { storage: Storage; from: string; to: string };

/**
 * Moves a shared session to this app if the session's user belongs to the app. If the app already has a session, that session
 * stays and the shared one is removed.
 */
export function takeOverSession({ storage, from, to }: Move, { takesOver }: OwnApp): void {
  const shared = readStoredSession(storage, from);
  const who = whoOf(shared);
  if (!who || !takesOver(who)) return;
  // The shared session is removed before it is stored again, because a full storage has no room for two copies.
  storage.removeItem(from);
  if (!readStoredSession(storage, to)) storage.setItem(to, JSON.stringify(shared));
}

/** Moves this user's calls without a response, which were stored before the app had a name, to the app's own storage. */
export function takeOverCalls(from: PendingCalls, to: PendingCalls, { userId }: Who): void {
  for (const call of from.all(userId)) {
    to.begin(call, userId);
    to.end(call.key, 'unanswered');
  }
  from.removeAllOf(userId);
}
