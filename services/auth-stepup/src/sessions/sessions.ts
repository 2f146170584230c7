import { problem } from '@comanda/contracts/problems';
import type { TokenPair } from '@comanda/contracts/users';
import type { User } from '../people/user.ts';
import type { UserStore } from '../people/user-store.ts';
import type { Note, Origin } from '../security-log/security-log.ts';
import type { TableStore } from '../tables/table-store.ts';
import type { AccessTokens } from './access-token.ts';
import { newSessionId } from './refresh-token.ts';
import type { RefreshTokens } from './refresh-token.ts';
import { expiryAt, guestMs, judge } from './session.ts';
import type { Seat, Session } from './session.ts';
import type { SessionStore } from './session-store.ts';

export type Sessions = {
  store: SessionStore;
  users: UserStore;
  refreshTokens: RefreshTokens;
  accessTokens: AccessTokens;
  tables: Pick<TableStore, 'byName'>;
  note: Note;
  /** Milliseconds since the epoch. */
  clock: () => number;
};

const pairOf = (sessions: Sessions, user: User, session: Session & { token: string }): TokenPair => {
  const { token, expiresInS } = sessions.accessTokens.issue(user, session);
  return { access_token: token, token_type: 'Bearer', expires_in: expiresInS, refresh_token: session.token };
};

/** Begins a session of `user`, who has just proved to be that user as of `user.sessionEpoch`. */
export async function beginSession(sessions: Sessions, user: User, seat: Seat | null): Promise<TokenPair> {
  const now = sessions.clock();
  const id = newSessionId();
  const { token, hash } = sessions.refreshTokens.issue(id);
  const endsAt = seat ? now + guestMs : null;
  const session: Session = {
    id,
    userId: user.id,
    epoch: user.sessionEpoch,
    authTime: now,
    seat,
    current: hash,
    previous: null,
    expiresAt: expiryAt(now, endsAt),
    endsAt,
    revokedAt: null,
  };
  const pair = pairOf(sessions, user, { ...session, token });
  await sessions.store.insert(session);
  return pair;
}

const refused = () => problem('invalid_refresh_token');

/** Exchanges a refresh token; of two at once one rotates and the other is judged by what it then finds. */
export async function refreshSession(sessions: Sessions, presented: string, origin: Origin): Promise<TokenPair> {
  const known = sessions.refreshTokens.read(presented);
  if (!known) throw refused();
  for (let attempt = 1; attempt <= 10; attempt++) {
    const pair = await tryRefresh(sessions, known, origin);
    if (pair) return pair;
  }
  throw problem('service_unavailable', { detail: 'The session is busy.' }, { 'Retry-After': '1' });
}

async function tryRefresh(
  sessions: Sessions,
  known: { sessionId: string; hash: string },
  origin: Origin,
): Promise<TokenPair | null> {
  const { store, clock } = sessions;
  const now = clock();
  const session = await store.byId(known.sessionId);
  if (!session) throw refused();
  const verdict = judge(session, known.hash, now);
  if (verdict === 'ended') throw refused();
  if (verdict === 'theft') {
    if (await store.revoke(session.id, now)) await sessions.note(session.userId, 'refresh_token_reused', origin);
    throw refused();
  }
  const user = await userOf(sessions, session);
  const { token, hash } = sessions.refreshTokens.issue(session.id);
  const pair = pairOf(sessions, user, { ...session, token });
  const previous = verdict === 'rotate' ? { hash: session.current, rotatedAt: now } : session.previous;
  const replaced = await store.replaceToken(session, {
    current: hash,
    previous,
    expiresAt: expiryAt(now, session.endsAt),
  });
  return replaced ? pair : null;
}

/** The user as of now, if the session still holds for them. */
async function userOf(sessions: Sessions, session: Session): Promise<User> {
  const user = await sessions.users.byId(session.userId);
  if (!user || user.status !== 'active' || user.sessionEpoch !== session.epoch) throw refused();
  if (session.seat && !(await isSeated(sessions, session.seat))) throw refused();
  return user;
}

/** Whether that seating still sits at the table, and the table's token is the one that was scanned. */
async function isSeated({ tables }: Sessions, { table: name, seating, tokenNonce }: Seat): Promise<boolean> {
  const table = await tables.byName(name);
  return table?.seating === seating && table.tokenNonce === tokenNonce;
}

/** Ends the session that the token belongs to; a token that is not ours ends nothing. */
export async function endSession(sessions: Sessions, presented: string): Promise<void> {
  const known = sessions.refreshTokens.read(presented);
  if (known) await sessions.store.revoke(known.sessionId, sessions.clock());
}
