import { problem } from '@comanda/contracts/problem';
import type { TokenPair } from '@comanda/contracts/sessions';
import { retryOnConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { RecordSecurityEvent } from '../security-log/record-security-event.ts';
import type { Origin } from '../security-log/security-event.ts';
import type { GuestStore } from '../tables/guest-store.ts';
import type { TableStore } from '../tables/table-store.ts';
import type { TabletStore } from '../tablets/tablet-store.ts';
import type { SessionHolder } from '../users/user.ts';
import type { UserStore } from '../users/user-store.ts';
import type { BeginSessionDeps } from './begin-session.ts';
import { expiryAt, judgeRefreshToken, type Seat, type Session } from './session.ts';
import type { SessionStore } from './session-store.ts';
import { isTabletLive } from './tablet-session.ts';
import { createTokenPair } from './token-pair.ts';

export type ExchangeDeps = Omit<BeginSessionDeps, 'sessions'> & {
  sessions: SessionStore;
  users: Pick<UserStore, 'findById'>;
  guests: Pick<GuestStore, 'findById'>;
  tables: Pick<TableStore, 'findByScan'>;
  tablets: Pick<TabletStore, 'isRegistered'>;
  recordSecurityEvent: RecordSecurityEvent;
};
type PresentedToken = { sessionId: string; hash: string };
type Exchange = {
  origin: Origin;
  /** The customer's new seat. If absent, the session keeps its current one. */
  newSeat?: Seat;
};

const refreshTimeoutMs = 1500;
const maxAttempts = 10;

export const refreshRefused = () => problem('invalid_refresh_token');

/**
 * Replaces a refresh token and signs a new access token. If two exchanges run concurrently, one replaces the token, and the other
 * is then checked against the new state.
 * @throws 401 `invalid_refresh_token`; 403 `forbidden` if anyone but a customer with an account tries to take a seat; 503
 * `service_unavailable` if too many exchanges for this session run at the same time
 */
export function exchangeRefreshToken(
  deps: ExchangeDeps,
  presented: PresentedToken,
  exchange: Exchange,
): Promise<TokenPair> {
  const deadline = performance.now() + refreshTimeoutMs;
  return retryOnConflict({ deadline, maxAttempts }, () => tryExchange(deps, presented, exchange));
}

/** Tries the exchange once. @throws WriteConflict if another exchange came first */
async function tryExchange(
  deps: ExchangeDeps,
  presented: PresentedToken,
  { origin, newSeat }: Exchange,
): Promise<TokenPair> {
  const { sessions, refreshTokens, clock } = deps;
  const now = clock();
  const session = await sessions.findById(presented.sessionId);
  if (!session) throw refreshRefused();
  const verdict = judgeRefreshToken(session, presented.hash, now);
  if (verdict === 'ended') throw refreshRefused();
  if (verdict === 'theft') {
    await revokeStolen(deps, session, { now, origin });
    throw refreshRefused();
  }

  const scanned = newSeat ?? session.seat;
  const seat = newSeat ?? (await findSeat(deps, session));
  const holder = await getSessionHolder(deps, session, seat);
  if (newSeat && (session.guest || holder.role !== 'customer')) throw problem('forbidden');
  const { token, hash } = refreshTokens.issue(session.id);
  const pair = createTokenPair(deps, { user: holder, session: { ...session, seat }, refreshToken: token });
  const previous = verdict === 'rotate' ? { hash: session.current, rotatedAt: now } : session.previous;
  const next = { current: hash, previous, seat: seat && scanned, expiresAt: expiryAt(now, session.endsAt) };
  await sessions.replaceToken(session, { ...next, lastUse: { at: now, ...origin } });
  return pair;
}

async function revokeStolen(
  { sessions, recordSecurityEvent }: ExchangeDeps,
  { id, userId }: Session,
  { now, origin }: { now: number; origin: Origin },
): Promise<void> {
  const isRevokedNow = await sessions.revoke(id, now);
  if (isRevokedNow) await recordSecurityEvent({ userId, type: 'refresh_token_reused', origin });
}

/**
 * Returns where the guests sit now, even if their seating was moved or joined with another one. The session itself still stores
 * the scanned seat. Returns null if the seating has ended or the table's code was replaced.
 */
async function findSeat({ tables }: ExchangeDeps, { seat: scanned }: Session): Promise<Seat | null> {
  const table = scanned && (await tables.findByScan(scanned));
  if (!table || table.seating === null) return null;
  return { ...scanned, table: table.name, seating: table.seating };
}

/**
 * Returns the session's stored user, or the guest as long as the guest has a seat.
 * @throws 401 `invalid_refresh_token` if the session is over
 */
async function getSessionHolder(deps: ExchangeDeps, session: Session, seat: Seat | null): Promise<SessionHolder> {
  const { userId, guest, epoch } = session;
  const holder = guest ? seat && (await deps.guests.findById(userId)) : await findActiveUser(deps, session);
  if (holder?.sessionEpoch !== epoch) throw refreshRefused();
  return holder;
}

async function findActiveUser(deps: ExchangeDeps, session: Session): Promise<SessionHolder | null> {
  const user = await deps.users.findById(session.userId);
  return user?.status === 'active' && (await isTabletLive(deps, session, user)) ? user : null;
}
