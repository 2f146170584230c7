import type { Limit } from './limit-store.ts';

export type SignInLimits = {
  /** Counts a sign-in from an address with an e-mail. @throws 429 `rate_limited` */
  signIn: (address: string, email: string) => Promise<void>;
  /** Counts a guest with a table's token. @throws 429 `rate_limited` */
  guest: (tableToken: string) => Promise<void>;
  /**
   * Runs `check`, a guess at the password behind `email`, and counts it where it is wrong. It is counted before it runs:
   * guesses side by side are no more than those one by one.
   * @throws 429 `rate_limited`
   */
  guess: (email: string, check: () => Promise<boolean>) => Promise<boolean>;
};

export const createSignInLimits = (limits: { signIns: Limit; failures: Limit; guests: Limit }): SignInLimits => ({
  signIn: async (address, email) => {
    await limits.signIns.take(`${address} ${email}`);
  },
  guest: async (tableToken) => {
    await limits.guests.take(tableToken);
  },
  guess: async (email, check) => {
    const takeBack = await limits.failures.take(email);
    let wrong = false;
    try {
      wrong = !(await check());
      return !wrong;
    } finally {
      if (!wrong) await takeBack();
    }
  },
});
