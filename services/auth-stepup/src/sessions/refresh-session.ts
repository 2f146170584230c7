import { problem } from '@comanda/contracts/problem';
import type { TokenPair } from '@comanda/contracts/users';
import { retryOnConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { SignInLimits } from '../limits/sign-in-limits.ts';
import type { RecordSecurityEvent } from '../security-log/record-security-event.ts';
import type { Origin } from '../security-log/security-event.ts';
import type { GuestStore } from '../tables/guest-store.ts';
import type { TableStore } from '../tables/table-store.ts';
import type { SessionHolder } from '../users/user.ts';
import type { UserStore } from '../users/user-store.ts';
import type { BeginSessionDeps } from './begin-session.ts';
import { expiryAt, judgeRefreshToken, type Seat, type Session } from './session.ts';
import type { SessionStore } from './session-store.ts';
import { createTokenPair } from './token-pair.ts';

export type RefreshSessionDeps = Omit<BeginSessionDeps, 'sessions'> & {
  sessions: SessionStore;
  users: Pick<UserStore, 'findById'>;
  guests: Pick<GuestStore, 'findById'>;
  tables: Pick<TableStore, 'findByScan'>;
  limits: Pick<SignInLimits, 'countRefresh'>;
  recordSecurityEvent: RecordSecurityEvent;
};
type PresentedToken = { sessionId: string; hash: string };

const refreshTimeoutMs = 1500;
const maxAttempts = 10;

const refused = () => problem('invalid_refresh_token');

/**
 * Exchanges a refresh token for a new pair. Of two concurrent exchanges one rotates the token; the other one is judged
 * again by what it finds then.
 * @throws 401 `invalid_refresh_token`; 429 `rate_limited`; 503 `service_unavailable` if too many exchanges of this session
 * run at once
 */
export async function refreshSession(
  deps: RefreshSessionDeps,
  { refreshToken, origin }: { refreshToken: string; origin: Origin },
): Promise<TokenPair> {
  const presented = deps.refreshTokens.read(refreshToken);
  await deps.limits.countRefresh(origin.address, presented?.sessionId ?? null);
  if (!presented) throw refused();
  const deadline = performance.now() + refreshTimeoutMs;
  return retryOnConflict({ deadline, maxAttempts }, () => tryRefresh(deps, presented, origin));
}

/** @throws WriteConflict if another exchange came first */
async function tryRefresh(deps: RefreshSessionDeps, presented: PresentedToken, origin: Origin): Promise<TokenPair> {
  const { sessions, refreshTokens, clock } = deps;
  const now = clock();
  const session = await sessions.findById(presented.sessionId);
  if (!session) throw refused();
  const verdict = judgeRefreshToken(session, presented.hash, now);
  if (verdict === 'ended') throw refused();
  if (verdict === 'theft') {
    await revokeStolen(deps, session, { now, origin });
    throw refused();
  }

  const { holder: user, seat } = await getSessionHolder(deps, session);
  const { token, hash } = refreshTokens.issue(session.id);
  const pair = createTokenPair(deps, { user, session: { ...session, seat }, refreshToken: token });
  const previous = verdict === 'rotate' ? { hash: session.current, rotatedAt: now } : session.previous;
  const lastUse = { at: now, ...origin };
  await sessions.replaceToken(session, { current: hash, previous, expiresAt: expiryAt(now, session.endsAt), lastUse });
  return pair;
}

async function revokeStolen(
  { sessions, recordSecurityEvent }: RefreshSessionDeps,
  { id, userId }: Session,
  { now, origin }: { now: number; origin: Origin },
): Promise<void> {
  const isRevokedNow = await sessions.revoke(id, now);
  if (isRevokedNow) await recordSecurityEvent({ userId, type: 'refresh_token_reused', origin });
}

type Seated = { holder: SessionHolder; seat: Seat | null };

/**
 * The stored user or guest, and where the guest sits now: the tokens follow a seating that has moved, or was joined with
 * another one. The session keeps what was scanned.
 * @throws 401 `invalid_refresh_token` if the session is over
 */
async function getSessionHolder(deps: RefreshSessionDeps, session: Session): Promise<Seated> {
  const found = session.seat
    ? await findSeatedGuest(deps, session.userId, session.seat)
    : await findActiveUser(deps, session.userId);
  if (found?.holder.sessionEpoch !== session.epoch) throw refused();
  return found;
}

async function findActiveUser({ users }: RefreshSessionDeps, id: number): Promise<Seated | null> {
  const user = await users.findById(id);
  return user?.status === 'active' ? { holder: user, seat: null } : null;
}

async function findSeatedGuest(
  { tables, guests }: RefreshSessionDeps,
  id: number,
  scanned: Seat,
): Promise<Seated | null> {
  const table = await tables.findByScan(scanned);
  const guest = table && (await guests.findById(id));
  if (!guest || table.seating === null) return null;
  return { holder: guest, seat: { ...scanned, table: table.name, seating: table.seating } };
}
