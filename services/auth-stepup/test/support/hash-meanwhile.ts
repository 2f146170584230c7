import { passwordHash } from '@comanda/testing/credentials';
import type { PasswordHasher } from '../../src/passwords/password-hasher.ts';

/** Creates a hasher that runs `happens` while it hashes. In a rush of sign-ups, passwords may wait for seconds. */
export const hashWhile = (happens: () => Promise<unknown>): PasswordHasher => ({
  findWeakness: async () => null,
  hash: async () => {
    await happens();
    return passwordHash;
  },
  matches: async () => false,
});
