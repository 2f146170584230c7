import { extname } from 'node:path';
import { Piscina } from 'piscina';
import type { Role } from '@comanda/contracts/endpoint';
import { networkOf } from '@comanda/shared/http/client-address';
import { createFairTurns, type TurnOwner } from './fair-turns.ts';
import { createHasher, passwordNiceIncrement, type HasherOptions } from './hasher.ts';
import type { StrengthTask, Weakness } from './strength-worker.ts';

/**
 * Hashes and checks passwords, one turn per call. @throws 503 `service_unavailable` if too many wait or this one waited for too
 * long
 */
export type PasswordHasher = {
  /** Hashes with bcrypt. */
  hash: (text: string, owner: TurnOwner) => Promise<string>;
  /** Compares; false if `hash` is null, after the same time. */
  matches: (compared: { text: string; hash: string | null }, owner: TurnOwner) => Promise<boolean>;
  /** Why the password is easy to guess; null if it is not. */
  findWeakness: (task: StrengthTask, owner: TurnOwner) => Promise<Weakness | null>;
};
type Options = Pick<HasherOptions, 'cost' | 'maxThreads' | 'metrics'> & { maxWaiting: number; maxWaitMs: number };

/**
 * The owner of a turn to hash a password. For a caller who is not signed in, it does not depend on the account, so the waiting
 * time reveals nothing about users.
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

/** Hashes passwords, and estimates the strength of new ones in one more thread. Callers of both share the turns fairly. */
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
    idleTimeout: 10_000, // shorter than the hasher's, because the dictionaries take 100 MB and load in half a second
  });
  return {
    hash: (text, owner) => turns.run(owner, () => hasher.hash(text)),
    matches: ({ text, hash }, owner) => turns.run(owner, () => hasher.matches(text, hash)),
    findWeakness: (task, owner) => strengthTurns.run(owner, () => pool.run(task)),
    close: async () => {
      await Promise.all([hasher.close(), pool.destroy()]);
    },
  };
}
