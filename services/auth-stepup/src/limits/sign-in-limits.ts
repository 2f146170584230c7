import { networkOf } from '@comanda/shared/http/client-address';
import type { LimitStore } from './limit-store.ts';

/**
 * Where a password comes from, and so what counts it. Whoever is signed in, and a device that has signed in with this account
 * before, have counts of their own: somebody else who guesses cannot lock them out. The count of all others belongs to the
 * e-mail address and its present password (its hash; null if nobody has the address), so that a new password begins at zero.
 */
export type GuessOrigin = { sessionId: string } | { deviceId: string } | { email: string; passwordHash: string | null };

export type SignInLimits = {
  /**
   * Counts a sign-in, whatever its password is: that of a device that has signed in with this account before by itself, others
   * by their network address, and by it and the e-mail address. @throws 429 `rate_limited`
   */
  countSignIn: (from: { address: string; email: string; deviceId: string | null }) => Promise<void>;
  /** Counts a registration from a network address. @throws 429 `rate_limited` */
  countRegistration: (address: string) => Promise<void>;
  /**
   * Counts a use of an invitation: for its user or, if no invitation has this token (null), for its network address, as a
   * registration.
   * @throws 429 `rate_limited`
   */
  countInvitation: (address: string, userId: number | null) => Promise<void>;
  /** Counts a guest session of a table's token. @throws 429 `rate_limited` */
  countGuest: (tableToken: string) => Promise<void>;
  /**
   * Counts an exchange of a refresh token: for its session or, if the token was never issued here (null), for its network
   * address, so that forged tokens of one phone refuse nobody else's.
   * @throws 429 `rate_limited`
   */
  countRefresh: (address: string, sessionId: string | null) => Promise<void>;
  /**
   * Runs `checkPassword` and counts the guess if the password is wrong. The guess is counted before the check and taken
   * back after it, so that concurrent guesses cannot exceed the limit.
   * @throws 429 `rate_limited`
   */
  countGuess: (origin: GuessOrigin, checkPassword: () => Promise<boolean>) => Promise<boolean>;
};
type Limits = Record<
  | 'signIns'
  | 'signInsOfAddress'
  | 'registrations'
  | 'wrongPasswords'
  | 'guests'
  | 'refreshesOfSession'
  | 'forgedRefreshesOfAddress',
  LimitStore
>;

function subjectOf(origin: GuessOrigin): string {
  if ('sessionId' in origin) return `session ${origin.sessionId}`;
  if ('deviceId' in origin) return `device ${origin.deviceId}`;
  return `e-mail ${origin.email} ${origin.passwordHash ?? ''}`;
}

/** Network addresses are counted by `networkOf`. */
export const createSignInLimits = (limits: Limits): SignInLimits => ({
  countSignIn: async ({ address, email, deviceId }) => {
    const network = networkOf(address);
    if (deviceId === null) await limits.signInsOfAddress.take(network);
    await limits.signIns.take(deviceId === null ? `${network} ${email}` : subjectOf({ deviceId }));
  },
  countRegistration: async (address) => {
    await limits.registrations.take(networkOf(address));
  },
  countInvitation: async (address, userId) => {
    await limits.registrations.take(userId === null ? networkOf(address) : `invitation ${userId}`);
  },
  countGuest: async (tableToken) => {
    await limits.guests.take(tableToken);
  },
  countRefresh: async (address, sessionId) => {
    if (sessionId === null) await limits.forgedRefreshesOfAddress.take(networkOf(address));
    else await limits.refreshesOfSession.take(sessionId);
  },
  countGuess: async (origin, checkPassword) => {
    const takeBack = await limits.wrongPasswords.take(subjectOf(origin));
    let isWrong = false;
    try {
      isWrong = !(await checkPassword());
      return !isWrong;
    } finally {
      if (!isWrong) await takeBack();
    }
  },
});
