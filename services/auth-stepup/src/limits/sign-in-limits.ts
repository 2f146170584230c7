import { networkOf } from '@comanda/shared/http/client-address';
import type { LimitStore } from './limit-store.ts';

/**
 * Where a password guess comes from, which decides what counts it. Signed-in users and devices that have signed in with this
 * account before have their own counts. So other people's guesses cannot lock them out. All other guesses share the count of the
 * e-mail address and its current password hash (null for unknown addresses). A new password starts at zero.
 */
export type GuessOrigin = { sessionId: string } | { deviceId: string } | { email: string; passwordHash: string | null };

export type SignInLimits = {
  /**
   * Counts a sign-in, whatever its password is. A device that has signed in with this account before has its own count. Others
   * are counted by network address, and by network address plus e-mail address. @throws 429 `rate_limited`
   */
  countSignIn: (from: { address: string; email: string; deviceId: string | null }) => Promise<void>;
  /** Counts a registration from a network address. @throws 429 `rate_limited` */
  countRegistration: (address: string) => Promise<void>;
  /**
   * Counts a use of an invitation: by user or, for an unknown token (null), by network address, like a registration.
   * @throws 429 `rate_limited`
   */
  countInvitation: (address: string, userId: number | null) => Promise<void>;
  /** Counts a guest session by the table's token. @throws 429 `rate_limited` */
  countGuest: (tableToken: string) => Promise<void>;
  /**
   * Counts an exchange of a refresh token by session. A token that was never issued here (null) counts by network address, so
   * that one phone's forged tokens lock out no other client.
   * @throws 429 `rate_limited`
   */
  countRefresh: (address: string, sessionId: string | null) => Promise<void>;
  /**
   * Runs `checkPassword` and counts the guess if the password is wrong. The guess is counted before the check and uncounted after
   * a right one, so that concurrent guesses cannot exceed the limit.
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

/** The limits of signing in. Network addresses are grouped by `networkOf`. */
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
