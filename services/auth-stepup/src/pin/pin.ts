import { maxPinAttempts, pinBlockMinutes } from '@comanda/contracts/rules';

/** How long a PIN is blocked after three wrong results. */
export const blockMs = pinBlockMinutes * 60_000;

/** How many wrong results block a PIN, and how many checks may run at once. */
export const maxAttempts = maxPinAttempts;

/**
 * How many wrong results let MongoDB block a PIN by itself. Redis normally blocks at three. It misses that only if an attacker
 * changes its data or replies, or if processes were killed at the same step twice.
 */
export const maxGuesses = 2 * maxAttempts;

/** A stored PIN. Times are in milliseconds since the epoch. */
export type Pin = {
  /** A new id for every PIN that is set. */
  id: string;
  hash: string;
  pepperId: string;
  isBoundToUser: boolean;
  createdAt: number;
  /** The end of the last block, even if it is over; null after the next right PIN. */
  blockedUntil: number | null;
  blockedAt: number | null;
  /** Consecutive wrong results that led to blocks; zero after the next right PIN. */
  failures: number;
  /**
   * Wrong results since the last block or right PIN. Redis has its own count, whose newest part a failover may lose; the larger
   * count decides. If a process is killed between its two writes, this count is wrong by one.
   */
  wrong: number;
  /** Wrong results since the last block or right PIN, including those that Redis did not count. */
  guesses: number;
};

/** The wrong results to start with after Redis lost its count: at least one attempt remains before a block. */
export const storedWrong = ({ wrong }: Pick<Pin, 'wrong'>, untilBlock: number): number =>
  Math.min(Math.max(0, wrong), Math.max(0, untilBlock - 1));

/**
 * How many more wrong results cause the next block. Zero if `maxLifetimeFailures` consecutive ones have blocked the PIN for good
 * (null for never).
 */
export const attemptsUntilBlock = ({ failures }: Pick<Pin, 'failures'>, maxLifetimeFailures: number | null): number =>
  maxLifetimeFailures === null ? maxAttempts : Math.min(maxAttempts, Math.max(0, maxLifetimeFailures - failures));
