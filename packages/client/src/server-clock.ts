/** The estimated server time, because a device's clock may be hours wrong. */
export type ServerClock = {
  /** Returns the server's time in milliseconds since the epoch. Until the server has sent a time, this is the device's time. */
  now: () => number;
  /** Returns how far the server's clock is ahead of this device's, in milliseconds. */
  offsetMs: () => number;
  /** Uses a time that the server has just sent, exact to the millisecond. */
  takeTime: (time: string) => void;
  /**
   * Uses the `Date` header from a response that arrived `elapsedMs` after its request. The header is exact only to the second.
   */
  takeDateHeader: (date: string | null, elapsedMs: number) => void;
};

/** The resolution of a `Date` header, in milliseconds. */
const headerResolutionMs = 1000;

export function createServerClock(deviceNow: () => number = Date.now): ServerClock {
  let offsetMs = 0;
  const now = (): number => deviceNow() + offsetMs;
  return {
    now,
    offsetMs: () => offsetMs,
    takeTime: (time) => {
      offsetMs = Date.parse(time) - deviceNow();
    },
    takeDateHeader: (date, elapsedMs) => {
      const earliest = Date.parse(date ?? '');
      if (Number.isNaN(earliest)) return;
      const latest = earliest + headerResolutionMs + elapsedMs;
      // The known offset may be more exact, so it is replaced only if it contradicts the header.
      if (now() < earliest || now() > latest) offsetMs = (earliest + latest) / 2 - deviceNow();
    },
  };
}
