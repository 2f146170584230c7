import { maxPinAttempts, pinBlockMinutes } from '@comanda/contracts/rules';

/** How long a PIN is blocked after three wrong results. */
export const blockMs = pinBlockMinutes * 60_000;

/** Wrong results before a block, and checks that may run at the same time. */
export const maxAttempts = maxPinAttempts;

/**
 * Wrong results after which MongoDB blocks a PIN by itself. Redis has blocked it at three, unless somebody changes what
 * Redis contains or answers, or processes were killed at the same step twice.
 */
export const maxGuesses = 2 * maxAttempts;

/** A PIN as it is stored. Times are milliseconds since the epoch. */
export type Pin = {
  /** Every PIN that is set gets a new id. */
  id: string;
  hash: string;
  pepperId: string;
  isBoundToUser: boolean;
  createdAt: number;
  /** End of the last block, also when it is over. Null after the next right PIN. */
  blockedUntil: number | null;
  blockedAt: number | null;
  /** Consecutive wrong results that led to blocks. Zero after the next right PIN. */
  failures: number;
  /**
   * Wrong results since the last block or right PIN. Redis has a count of its own, of which a failover may lose the newest
   * part: the larger of the two counts. A process that is killed between its writes to the two leaves this one too high or
   * too low by one.
   */
  wrong: number;
  /** Wrong results since the last block or right PIN, also those that Redis did not count. */
  guesses: number;
};

/** The wrong results that a lost count begins with: at least one attempt remains until a block. */
export const storedWrong = ({ wrong }: Pick<Pin, 'wrong'>, untilBlock: number): number =>
  Math.min(Math.max(0, wrong), Math.max(0, untilBlock - 1));

/**
 * Wrong results until the next block. Zero if `maxLifetimeFailures` consecutive ones have blocked the PIN for good (null:
 * they never do).
 */
export const attemptsUntilBlock = ({ failures }: Pick<Pin, 'failures'>, maxLifetimeFailures: number | null): number =>
  maxLifetimeFailures === null ? maxAttempts : Math.min(maxAttempts, Math.max(0, maxLifetimeFailures - failures));
