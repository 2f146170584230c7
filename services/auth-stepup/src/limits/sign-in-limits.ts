import type { LimitStore } from './limit-store.ts';

export type SignInLimits = {
  /** Counts a sign-in with an e-mail address from a network address. @throws 429 `rate_limited` */
  countSignIn: (address: string, email: string) => Promise<void>;
  /** Counts a guest session of a table's token. @throws 429 `rate_limited` */
  countGuest: (tableToken: string) => Promise<void>;
  /**
   * Runs `checkPassword` and counts the guess if the password is wrong. The guess is counted before the check and taken
   * back after it, so that concurrent guesses cannot exceed the limit.
   * @throws 429 `rate_limited`
   */
  countGuess: (email: string, checkPassword: () => Promise<boolean>) => Promise<boolean>;
};
type Limits = { signIns: LimitStore; wrongPasswords: LimitStore; guests: LimitStore };

export const createSignInLimits = ({ signIns, wrongPasswords, guests }: Limits): SignInLimits => ({
  countSignIn: async (address, email) => {
    await signIns.take(`${address} ${email}`);
  },
  countGuest: async (tableToken) => {
    await guests.take(tableToken);
  },
  countGuess: async (email, checkPassword) => {
    const takeBack = await wrongPasswords.take(email);
    let isWrong = false;
    try {
      isWrong = !(await checkPassword());
      return !isWrong;
    } finally {
      if (!isWrong) await takeBack();
    }
  },
});
