import type { PendingCalls } from './calls/pending-calls.ts';
import { readStoredSession, whoOf, type Who } from './session/session.ts';
import type { Storage } from './session/storage.ts';

/** One of several programs of an origin, such as an app for guests and one for staff: it keeps a session of its own. */
export type OwnApp = {
  /** Stands in the names of what is kept, for example `kitchen`. */
  name: string;
  /**
   * Whose session this app goes on with if it finds one that was kept for all programs of the origin, as without `app`. It is
   * moved, not copied: two programs with one refresh token would look like a theft.
   */
  takesOver: (who: Who) => boolean;
};

type Move = { storage: Storage; from: string; to: string };

/** Moves a session that is for all programs, if it is of a user of this app. One that this app has already stays. */
export function takeOverSession({ storage, from, to }: Move, { takesOver }: OwnApp): void {
  const shared = readStoredSession(storage, from);
  const who = whoOf(shared);
  if (!who || !takesOver(who)) return;
  // First: a full storage has no room for both.
  storage.removeItem(from);
  if (!readStoredSession(storage, to)) storage.setItem(to, JSON.stringify(shared));
}

/** Moves the calls without an answer that this user has made before the app had a name. */
export function takeOverCalls(from: PendingCalls, to: PendingCalls, { userId }: Who): void {
  for (const call of from.all(userId)) {
    to.begin(call, userId);
    to.end(call.key, 'unanswered');
  }
  from.removeAllOf(userId);
}
