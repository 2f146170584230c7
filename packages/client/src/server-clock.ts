/** The server's time, as far as it is known, because a device's clock may be hours wrong. */
export type ServerClock = {
  /** Returns the server's time in milliseconds since the epoch; this device's time until the server has sent its own. */
  now: () => number;
  /** Returns how far the server's time is ahead of this device's, in milliseconds. */
  offsetMs: () => number;
  /** Takes a time that the server has just sent, exact to the millisecond. */
  takeTime: (time: string) => void;
  /** Takes the `Date` header from a response that arrived `elapsedMs` after its request. It is exact only to a second. */
  takeDateHeader: (date: string | null, elapsedMs: number) => void;
};

/** The resolution of a `Date` header, in milliseconds. It contains no fractions of a second. */
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
      // The known offset may be more exact. It is wrong only if it does not fit the header.
      if (now() < earliest || now() > latest) offsetMs = (earliest + latest) / 2 - deviceNow();
    },
  };
}
