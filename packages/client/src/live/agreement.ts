/**
 * Finds out without a read whether a list is what the server has. The server tells a checksum of all that is open every
 * few seconds; it is some seconds old when it comes.
 */
export type Agreement = {
  /** The list has this checksum from now on. */
  note: (own: string) => void;
  /** To be called before the list is read. What is returned is to be called if the read was complete. */
  beginRead: () => () => void;
  /**
   * Whether the list needs no read now. It does not if it had, within the last 30 s, the checksum that the server has told:
   * versions only grow, so nothing was missing then. Nor if the server still tells what it told before the last read.
   */
  holds: () => boolean;
  /** What was known is not comparable any more. */
  forget: () => void;
};

/** Longer than what the server tells can be late: 3 s until the next heartbeat, and 15 s until the next status. */
const rememberedMs = 30_000;
const maxRemembered = 2000;
/** What is not open is in no checksum. It is compared now and then. */
const maxUnreadMs = 300_000;

/** `told` returns the newest checksum of the server; null if it tells none. */
export function createAgreement(reported: () => string | null): Agreement {
  /** Until when the list had each checksum; the last one is its own now. */
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
