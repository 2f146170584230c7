import { passwordHash } from '@comanda/testing/credentials';
import type { PasswordHasher } from '../../src/passwords/password-hasher.ts';

/** A hasher that runs `happens` during its work, because in a wave of sign-ups passwords wait for seconds. */
export const hashWhile = (happens: () => Promise<unknown>): PasswordHasher => ({
  findWeakness: async () => null,
  hash: async () => {
    await happens();
    return passwordHash;
  },
  matches: async () => false,
});
