/**
 * How long a count and a closing may hold the counters before they commit, in milliseconds. In that time, orders and payments wait:
 * a closing leaves them time for its commit and for their own write.
 */
const limitsMs = { count: 100, closing: 800 } as const;

/** Returns true if a transaction has held the counters for too long. Ask this last, and then write nothing. */
export const isLongLock = (what: keyof typeof limitsMs, lockedAt: number): boolean =>
  performance.now() - lockedAt > limitsMs[what];
