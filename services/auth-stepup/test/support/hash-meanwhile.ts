import { passwordHash } from '@comanda/testing/credentials';
import type { PasswordHasher } from '../../src/passwords/password-hasher.ts';

/** A hasher while whose work something else happens: in a wave of sign-ups, passwords wait for seconds. */
export const hashWhile = (happens: () => Promise<unknown>): PasswordHasher => ({
  findWeakness: async () => null,
  hash: async () => {
    await happens();
    return passwordHash;
  },
  matches: async () => false,
});
