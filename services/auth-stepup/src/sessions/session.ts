import type { Role } from '@comanda/contracts/endpoint';
import { refreshRetrySeconds } from '@comanda/contracts/rules';
import type { Origin } from '../security-log/security-event.ts';

/**
 * One sign-in on one device, from the sign-in through each refresh. Times are in milliseconds since the epoch. Tokens are stored
 * as hashes.
 */
export type Session = {
  id: string;
  userId: number;
  /** The user's session epoch when the session started. The session is over once the user's epoch is higher. */
  epoch: number;
  authTime: number;
  /** True if the session belongs to a guest, who is not a user and always has a seat. */
  guest: boolean;
  /** The seat at a table; null without a seat. */
  seat: Seat | null;
  /** The tablet on which the session started, and the tablet PIN used there; null for other sessions. */
  tablet: OnTablet | null;
  /** The hash of the current refresh token. */
  current: string;
  previous: { hash: string; rotatedAt: number } | null;
  expiresAt: number;
  /** When the session ends, even if it is still in use. */
  endsAt: number;
  /** When and from where the session was last used: the sign-in, or the latest exchange of a refresh token. */
  lastUse: LastUse;
  revokedAt: number | null;
};
type LastUse = Origin & { at: number };
export type OnTablet = { id: string; pinId: string };
export type Seat = { table: string; seating: number; tokenNonce: string };

/** How long a session may stay unused, in milliseconds. */
const maxIdleMs = 30 * 24 * 3600_000;
/** The maximum length of a guest's session, in milliseconds. */
export const guestSessionMs = 12 * 3600_000;
/**
 * How long the previous token is accepted while its successor is unused, in milliseconds, because a client may just have lost the
 * response.
 */
const graceMs = refreshRetrySeconds * 1000;

/** How long the sessions of users and managers last, in milliseconds, no matter how often they are used. */
export type SessionLengths = { userMs: number; managerMs: number };
export const sessionMs = ({ userMs, managerMs }: SessionLengths, role: Role): number =>
  role === 'manager' ? managerMs : userMs;

export const expiryAt = (now: number, endsAt: number): number => Math.min(now + maxIdleMs, endsAt);

/**
 * Decides what to do with a refresh token. `rotate`: the token is the current one. `reissue`: the token is the previous one. The
 * response with its successor may have been lost, so the successor becomes void. `theft`: the token was replaced earlier, so the
 * session is revoked.
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
