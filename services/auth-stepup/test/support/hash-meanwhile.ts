import { passwordHash } from '@comanda/testing/credentials';
import type { PasswordHasher } from '../../src/passwords/password-hasher.ts';

/**
 * Creates a hasher that runs `happens` while it hashes. This simulates a change during the seconds that a password waits in a
 * rush of sign-ups.
 */
export const hashWhile = (happens: () => Promise<unknown>): PasswordHasher => ({
  findWeakness: async () => null,
  hash: async () => {
    await happens();
    return passwordHash;
  },
  matches: async () => false,
});
