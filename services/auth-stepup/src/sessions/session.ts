import type { Role } from '@comanda/contracts/endpoint';
import { refreshRetrySeconds } from '@comanda/contracts/rules';
import type { Origin } from '../security-log/security-event.ts';

/**
 * What one sign-in began, and the family of refresh tokens that continues it. Times are milliseconds since the epoch.
 * Tokens are stored as hashes.
 */
export type Session = {
  id: string;
  userId: number;
  /** The user's session epoch when the session began. If the user's is higher, the session is over. */
  epoch: number;
  authTime: number;
  /** Whether it is that of a guest, who is no user and always has a seat. */
  guest: boolean;
  /** The place at a table. */
  seat: Seat | null;
  /** The tablet on which it began, with this tablet PIN of the user. */
  tablet: OnTablet | null;
  /** The valid refresh token. */
  current: string;
  previous: { hash: string; rotatedAt: number } | null;
  expiresAt: number;
  /** The session ends then, even if it is used. */
  endsAt: number;
  /** The sign-in or the last exchange of the refresh token. */
  lastUse: LastUse;
  revokedAt: number | null;
};
type LastUse = Origin & { at: number };
export type OnTablet = { id: string; pinId: string };
export type Seat = { table: string; seating: number; tokenNonce: string };

/** A session without use ends after this time. */
const maxIdleMs = 30 * 24 * 3600_000;
/** A guest's session lasts at most this long. */
export const guestSessionMs = 12 * 3600_000;
/**
 * How long the previous token is accepted while its successor is unused: a client whose reply was lost is no thief.
 */
const graceMs = refreshRetrySeconds * 1000;

/** How long a session of a user lasts, however often it is used. */
export type SessionLengths = { userMs: number; managerMs: number };
export const sessionMs = ({ userMs, managerMs }: SessionLengths, role: Role): number =>
  role === 'manager' ? managerMs : userMs;

export const expiryAt = (now: number, endsAt: number): number => Math.min(now + maxIdleMs, endsAt);

/**
 * What a refresh token does: `rotate`: it is the current one; `reissue`: it is the previous one, and the reply with its
 * successor may be lost, so the successor becomes void; `theft`: it was replaced earlier, so the session is revoked.
 */
export function judgeRefreshToken(
  session: Session,
  hash: string,
  now: number,
): 'rotate' | 'reissue' | 'theft' | 'ended' {
  if (session.revokedAt !== null || session.expiresAt <= now) return 'ended';
  if (hash === session.current) return 'rotate';
  const { previous } = session;
  return previous?.hash === hash && now - previous.rotatedAt <= graceMs ? 'reissue' : 'theft';
}
