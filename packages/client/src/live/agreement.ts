/**
 * Detects without a fetch whether a list is in sync with the server. Every few seconds the server sends a checksum of all open
 * resources, which is a few seconds old when it arrives.
 */
export type Agreement = {
  /** Records the list's new checksum. */
  note: (own: string) => void;
  /** Call it before the list is fetched, and call the returned function when the fetch is complete. */
  beginRead: () => () => void;
  /**
   * Returns true if the list need not be fetched now: it had the server's checksum within the last 30 s (versions only grow), or
   * the server still sends the checksum from before the last fetch.
   */
  holds: () => boolean;
  /** Forgets all checksums because they can no longer be compared. */
  forget: () => void;
};

/**
 * How long to remember checksums, in milliseconds. A checksum from the server can be 18 s late: 3 s until the next heartbeat, and
 * 15 s until the next status.
 */
const rememberedMs = 30_000;
const maxRemembered = 2000;
/** The maximum time without a fetch, in milliseconds, because checksums leave out closed resources. */
const maxUnreadMs = 300_000;

/**
 * Compares the list's checksums with the server's. `reported` returns the server's newest checksum, or null if the server sends
 * none.
 */
export function createAgreement(reported: () => string | null): Agreement {
  /** For each checksum, the time until which the list had it. The last entry is the current checksum. */
  const hadUntil = new Map<string, number>();
  let own = '';
  let lastRead: { reported: string | null; at: number } | null = null;

  function forgetOld(): void {
    for (const [each, until] of hadUntil) {
      if (each === own || (hadUntil.size <= maxRemembered && performance.now() - until <= rememberedMs)) break;
      hadUntil.delete(each);
    }
  }
  return {
    note: (next) => {
      const now = performance.now();
      if (hadUntil.has(own)) hadUntil.set(own, now);
      own = next;
      hadUntil.delete(own);
      hadUntil.set(own, now);
      forgetOld();
    },
    beginRead: () => {
      const reportedBefore = reported();
      return () => void (lastRead = { reported: reportedBefore, at: performance.now() });
    },
    holds: () => {
      forgetOld();
      const current = reported();
      if (current === null || !lastRead || performance.now() - lastRead.at > maxUnreadMs) return false;
      return current === own || hadUntil.has(current) || current === lastRead.reported;
    },
    forget: () => {
      hadUntil.clear();
      lastRead = null;
    },
  };
}
