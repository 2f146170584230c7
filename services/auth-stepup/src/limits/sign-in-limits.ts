import { networkOf } from '@comanda/shared/http/client-address';
import type { LimitStore } from './limit-store.ts';

export type SignInLimits = {
  /** Counts a sign-in from a network address, with its e-mail address and whatever it is. @throws 429 `rate_limited` */
  countSignIn: (address: string, email: string) => Promise<void>;
  /** Counts a registration from a network address. @throws 429 `rate_limited` */
  countRegistration: (address: string) => Promise<void>;
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
  countGuess: (email: string, checkPassword: () => Promise<boolean>) => Promise<boolean>;
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

/** Network addresses are counted by `networkOf`. */
export const createSignInLimits = (limits: Limits): SignInLimits => ({
  countSignIn: async (address, email) => {
    const network = networkOf(address);
    await limits.signInsOfAddress.take(network);
    await limits.signIns.take(`${network} ${email}`);
  },
  countRegistration: async (address) => {
    await limits.registrations.take(networkOf(address));
  },
  countGuest: async (tableToken) => {
    await limits.guests.take(tableToken);
  },
  countRefresh: async (address, sessionId) => {
    if (sessionId === null) await limits.forgedRefreshesOfAddress.take(networkOf(address));
    else await limits.refreshesOfSession.take(sessionId);
  },
  countGuess: async (email, checkPassword) => {
    const takeBack = await limits.wrongPasswords.take(email);
    let isWrong = false;
    try {
      isWrong = !(await checkPassword());
      return !isWrong;
    } finally {
      if (!isWrong) await takeBack();
    }
  },
});
