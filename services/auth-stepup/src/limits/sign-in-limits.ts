import { networkOf } from '@comanda/shared/http/client-address';
import type { LimitStore } from './limit-store.ts';

/**
 * The origin of a password guess, which decides where the guess is counted. Signed-in users, and devices that have signed in with
 * this account before, have their own counts, so other people's guesses cannot lock them out. All other guesses share one count
 * per e-mail address and current password hash (null for unknown addresses). A new password therefore starts at zero.
 */
export type GuessOrigin = { sessionId: string } | { deviceId: string } | { email: string; passwordHash: string | null };

export type SignInLimits = {
  /**
   * Counts a sign-in, whether or not the password is right. A device that has signed in with this account before has its own
   * count. Other sign-ins are counted by network address, and by network address plus e-mail address.
   * @throws 429 `rate_limited`
   */
  countSignIn: (from: { address: string; email: string; deviceId: string | null }) => Promise<void>;
  /** Counts a registration from a network address. @throws 429 `rate_limited` */
  countRegistration: (address: string) => Promise<void>;
  /**
   * Counts the use of an invitation by user. If the token is unknown (null), counts by network address, like a registration.
   * @throws 429 `rate_limited`
   */
  countInvitation: (address: string, userId: number | null) => Promise<void>;
  /** Counts an attempt to create the first manager from a network address. @throws 429 `rate_limited` */
  countSetup: (address: string) => Promise<void>;
  /** Counts the start of a guest session by the table's token. @throws 429 `rate_limited` */
  countGuest: (tableToken: string) => Promise<void>;
  /**
   * Counts the exchange of a refresh token by session. Tokens that were never issued here (null) are counted by network address,
   * so that forged tokens from one phone lock out no other client.
   * @throws 429 `rate_limited`
   */
  countRefresh: (address: string, sessionId: string | null) => Promise<void>;
  /**
   * Counts a guess as wrong. Call this before the password is checked, so that concurrent guesses cannot exceed the limit. Returns
   * a function that uncounts the guess; call it unless the password is wrong.
   * @throws 429 `rate_limited`
   */
  countGuess: (origin: GuessOrigin) => Promise<() => Promise<void>>;
};
type Limits = Record<
  | 'signIns'
  | 'signInsOfAddress'
  | 'registrations'
  | 'wrongPasswords'
  | 'setups'
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

/** Creates the limits for sign-ins, registrations and password guesses. Network addresses are grouped by `networkOf`. */
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
  countSetup: async (address) => {
    await limits.setups.take(networkOf(address));
  },
  countGuest: async (tableToken) => {
    await limits.guests.take(tableToken);
  },
  countRefresh: async (address, sessionId) => {
    if (sessionId === null) await limits.forgedRefreshesOfAddress.take(networkOf(address));
    else await limits.refreshesOfSession.take(sessionId);
  },
  countGuess: (origin) => limits.wrongPasswords.take(subjectOf(origin)),
});
