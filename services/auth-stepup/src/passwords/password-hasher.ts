import { extname } from 'node:path';
import { Piscina } from 'piscina';
import type { Role } from '@comanda/contracts/endpoint';
import { networkOf } from '@comanda/shared/http/client-address';
import { createFairTurns, type TurnOwner } from './fair-turns.ts';
import { createHasher, passwordNiceIncrement, type HasherOptions } from './hasher.ts';
import type { StrengthTask, Weakness } from './strength-worker.ts';

/**
 * Hashes and checks passwords. Each call waits for one turn.
 * @throws 503 `service_unavailable` if too many calls wait or this call has waited too long
 */
export type PasswordHasher = {
  /** Hashes a password with bcrypt. */
  hash: (text: string, owner: TurnOwner) => Promise<string>;
  /** Compares a password with a hash. If `hash` is null, returns false after the same time as a real comparison. */
  matches: (compared: { text: string; hash: string | null }, owner: TurnOwner) => Promise<boolean>;
  /** Returns why the password is easy to guess; null if it is strong enough. */
  findWeakness: (task: StrengthTask, owner: TurnOwner) => Promise<Weakness | null>;
};
type Options = Pick<HasherOptions, 'cost' | 'maxThreads' | 'metrics'> & { maxWaiting: number; maxWaitMs: number };

/**
 * Returns whose turn is used to hash a password. For a caller who is not signed in, this does not depend on the account, so the
 * waiting time reveals nothing about users.
 */
export const passwordTurnOf = (address: string, signedIn?: { id: number; role: Role }): TurnOwner => ({
  userId: signedIn?.id ?? 0,
  network: networkOf(address),
  group: groupOf(signedIn?.role),
});
function groupOf(role: Role | undefined): TurnOwner['group'] {
  if (role === undefined) return 'visitors';
  return role === 'customer' ? 'customers' : 'staff';
}

/**
 * Creates a hasher for passwords. One extra thread estimates the strength of new passwords. Hashing and estimating share the same
 * fair turns.
 */
export function createPasswordHasher(options: Options): PasswordHasher & { close: () => Promise<void> } {
  const { maxThreads, maxWaiting, maxWaitMs } = options;
  const turns = createFairTurns({ maxRunning: maxThreads, maxWaiting, maxWaitMs });
  const strengthTurns = createFairTurns({ maxRunning: 1, maxWaiting, maxWaitMs });
  const hasher = createHasher('password', { ...options, maxQueue: maxThreads, countWaiting: turns.countWaiting });
  const pool = new Piscina<StrengthTask, Weakness | null>({
    filename: new URL(`./strength-worker${extname(import.meta.url)}`, import.meta.url).href,
    minThreads: 0,
    maxThreads: 1,
    niceIncrement: passwordNiceIncrement,
    idleTimeout: 10_000, // shorter than the hasher's timeout, because the dictionaries use 100 MB but load in half a second
  });
  return {
    hash: async (text, owner) => {
      using _ = await turns.take(owner);
      return await hasher.hash(text);
    },
    matches: async ({ text, hash }, owner) => {
      using _ = await turns.take(owner);
      return await hasher.matches(text, hash);
    },
    findWeakness: async (task, owner) => {
      using _ = await strengthTurns.take(owner);
      return await pool.run(task);
    },
    close: async () => {
      await Promise.all([hasher.close(), pool.destroy()]);
    },
  };
}
