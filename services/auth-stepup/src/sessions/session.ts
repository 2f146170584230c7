import type { Role } from '@comanda/contracts/endpoint';
import { refreshRetrySeconds } from '@comanda/contracts/rules';
import type { Origin } from '../security-log/security-event.ts';

/**
 * The session of one sign-in, continued by a family of refresh tokens. Times are in milliseconds since the epoch. Tokens are
 * stored as hashes.
 */
export type Session = {
  id: string;
  userId: number;
  /** The user's session epoch at the start of the session. The session is over once the user's epoch is higher. */
  epoch: number;
  authTime: number;
  /** Whether it belongs to a guest, who is not a user and always has a seat. */
  guest: boolean;
  /** The place at a table; null without one. */
  seat: Seat | null;
  /** The tablet on which it started, and the tablet PIN used there; null for other sessions. */
  tablet: OnTablet | null;
  /** The hash of the valid refresh token. */
  current: string;
  previous: { hash: string; rotatedAt: number } | null;
  expiresAt: number;
  /** When the session ends, even if it is used. */
  endsAt: number;
  /** The sign-in or the last exchange of the refresh token. */
  lastUse: LastUse;
  revokedAt: number | null;
};
type LastUse = Origin & { at: number };
export type OnTablet = { id: string; pinId: string };
export type Seat = { table: string; seating: number; tokenNonce: string };

/** How long a session may stay unused. */
const maxIdleMs = 30 * 24 * 3600_000;
/** How long a guest's session lasts at most. */
export const guestSessionMs = 12 * 3600_000;
/** How long the previous token is accepted while its successor is unused, because a client may just have lost the response. */
const graceMs = refreshRetrySeconds * 1000;

/** How long a user's session lasts, however often it is used, in milliseconds. */
export type SessionLengths = { userMs: number; managerMs: number };
export const sessionMs = ({ userMs, managerMs }: SessionLengths, role: Role): number =>
  role === 'manager' ? managerMs : userMs;

export const expiryAt = (now: number, endsAt: number): number => Math.min(now + maxIdleMs, endsAt);

/**
 * Judges a refresh token. `rotate`: it is the current one. `reissue`: it is the previous one and the response with its successor
 * may be lost, so the successor becomes void. `theft`: it was replaced earlier, so the session is revoked.
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
