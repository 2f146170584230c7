/**
 * Checks whether a list is in sync with the server, without fetching the list. Every few seconds, the server sends a checksum
 * of its open orders and one of its menu, each of which is already a few seconds old when it arrives.
 */
export type Agreement = {
  /** Records the list's current checksum after a change. */
  note: (own: string) => void;
  /** Records that the list is about to be fetched. Call the returned function when the fetch is complete. */
  beginRead: () => () => void;
  /**
   * Returns true if the list need not be fetched now, because its checksum matched the server's within the last 30 s, or
   * because the server's checksum has not changed since before the last fetch. Returns false if the last fetch was more than 5
   * min ago.
   */
  holds: () => boolean;
  /** Forgets all checksums, for example after a gap or when another user signs in. */
  forget: () => void;
};

/**
 * How long to remember the list's checksums, in milliseconds. The server's checksum can be 18 s old when it arrives: up to 3 s
 * until the server's next heartbeat, and up to 15 s until the next status message.
 */
const rememberedMs = 30_000;
const maxRemembered = 2000;
/**
 * The maximum time between two fetches of the list, in milliseconds. The checksums don't cover closed resources, so only a
 * fetch can find errors in those.
 */
const maxUnreadMs = 300_000;

/** Creates the check for one list. `reported` returns the server's newest checksum, or null if the server sends none. */
export function createAgreement(reported: () => string | null): Agreement {
  /** The list's checksums, each with the time until which the list had it. The last entry is the current checksum. */
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
