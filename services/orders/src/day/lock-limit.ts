/** How long a count and a closing may hold the counters, in milliseconds. In that time, orders and payments wait. */
const limitsMs = { count: 100, closing: 1000 } as const;

/** Returns true if a transaction has held the counters for too long. Ask this last, and then write nothing. */
export const isLongLock = (what: keyof typeof limitsMs, lockedAt: number): boolean =>
  performance.now() - lockedAt > limitsMs[what];
