/**
 * A session: what one sign-in began, and the family of refresh tokens that carries it on. Times are milliseconds since
 * the epoch. Tokens are known by their hash.
 */
export type Session = {
  id: string;
  userId: number;
  /** The user's epoch when it began: ended where the user's has moved on. */
  epoch: number;
  authTime: number;
  /** Where a guest sits. */
  seat: Seat | null;
  current: string;
  previous: { hash: string; rotatedAt: number } | null;
  expiresAt: number;
  /** Past which no use prolongs it. */
  endsAt: number | null;
  revokedAt: number | null;
};
export type Seat = { table: string; seating: number; tokenNonce: string };

/** A family lives this long without use. */
const idleMs = 30 * 24 * 3600_000;
/** A guest's at most this long. */
export const guestMs = 12 * 3600_000;
/** How long the token before is still taken while its successor is unused: a reply that was lost is no theft. */
const graceMs = 60_000;

export const expiryAt = (now: number, endsAt: number | null): number => Math.min(now + idleMs, endsAt ?? Infinity);

/**
 * What a refresh token is worth: `rotate` the current one; `regrant` to whoever lost the reply, which voids the
 * successor that nobody has used; `theft` is any other that was ours: the family dies.
 */
export function judge(session: Session, hash: string, now: number): 'rotate' | 'regrant' | 'theft' | 'ended' {
  if (session.revokedAt !== null || session.expiresAt <= now) return 'ended';
  if (hash === session.current) return 'rotate';
  const { previous } = session;
  return previous?.hash === hash && now - previous.rotatedAt <= graceMs ? 'regrant' : 'theft';
}
