/**
 * Finds out without a fetch whether a list is in sync with the server. Every few seconds the server sends a checksum of all open
 * resources, which is some seconds old when it arrives.
 */
export type Agreement = {
  /** Records the list's new checksum. */
  note: (own: string) => void;
  /** Must be called before the list is fetched. Call the returned function if the fetch was complete. */
  beginRead: () => () => void;
  /**
   * Returns true if the list need not be fetched now, because, within the last 30 s, it had the checksum that the server has
   * sent: versions only grow, so nothing was missing then. Also returns true if the server still sends the checksum from before
   * the last fetch.
   */
  holds: () => boolean;
  /** Forgets all checksums because they are no longer comparable. */
  forget: () => void;
};

/**
 * How long checksums are remembered, in milliseconds. This must be longer than the server's checksum can be late: 3 s until the
 * next heartbeat, and 15 s until the next status.
 */
const rememberedMs = 30_000;
const maxRemembered = 2000;
/** The longest time without a fetch, in milliseconds, because no checksum includes closed resources. */
const maxUnreadMs = 300_000;

/**
 * Compares the list's checksums with the server's. `reported` returns the server's newest checksum; null if the server sends
 * none.
 */
export function createAgreement(reported: () => string | null): Agreement {
  /** The time until which the list had each checksum. The last checksum is the current one. */
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
