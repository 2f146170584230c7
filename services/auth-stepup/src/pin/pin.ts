import { maxPinAttempts, pinBlockMinutes } from '@comanda/contracts/rules';

/** How long a PIN is blocked after three wrong results, in milliseconds. */
export const blockMs = pinBlockMinutes * 60_000;

/** How many wrong results block a PIN, and how many checks may run at the same time. */
export const maxAttempts = maxPinAttempts;

/**
 * How many wrong results block a PIN in MongoDB even if Redis does not. Redis normally blocks after three. It fails to do so only
 * if an attacker changes its data or replies, or if processes were killed at the same step twice.
 */
export const maxGuesses = 2 * maxAttempts;

/** A stored PIN. Times are in milliseconds since the epoch. */
export type Pin = {
  /** The PIN's id. Every new PIN gets a new id. */
  id: string;
  hash: string;
  pepperId: string;
  isBoundToUser: boolean;
  createdAt: number;
  /** The end of the last block, even if it has passed; null after the next right PIN. */
  blockedUntil: number | null;
  blockedAt: number | null;
  /** The number of consecutive wrong results that led to blocks. Zero after the next right PIN. */
  failures: number;
  /**
   * The number of wrong results since the last block or right PIN. Redis has its own count, but a failover may lose its latest
   * changes, so the larger count decides. If a process is killed between its two writes, this count is off by one.
   */
  wrong: number;
  /** The number of wrong results since the last block or right PIN, including results that Redis did not count. */
  guesses: number;
};

/** Returns how many wrong results to start from after Redis has lost its count. At least one attempt remains before a block. */
export const storedWrong = ({ wrong }: Pick<Pin, 'wrong'>, untilBlock: number): number =>
  Math.min(Math.max(0, wrong), Math.max(0, untilBlock - 1));

/**
 * Returns how many more wrong results cause the next block. Zero if `maxLifetimeFailures` consecutive wrong results have blocked
 * the PIN for good. With null, there is no such limit.
 */
export const attemptsUntilBlock = ({ failures }: Pick<Pin, 'failures'>, maxLifetimeFailures: number | null): number =>
  maxLifetimeFailures === null ? maxAttempts : Math.min(maxAttempts, Math.max(0, maxLifetimeFailures - failures));
