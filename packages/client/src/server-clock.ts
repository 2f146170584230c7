/** The server's time, as far as it is known: the clock of a device may be hours wrong. */
export type ServerClock = {
  /** In milliseconds since the epoch. Until the server has said its time, this device's. */
  now: () => number;
  /** How far the server's time is ahead of this device's, in milliseconds. */
  offsetMs: () => number;
  /** Takes a time that the server has just sent, to the millisecond. */
  takeTime: (time: string) => void;
  /** Takes the `Date` of an answer that took `elapsedMs` from its request. It is exact to a second only. */
  takeDateHeader: (date: string | null, elapsedMs: number) => void;
};

/** A `Date` has no fraction of a second. */
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
      // What is known already may be more exact. It is wrong only if it does not fit.
      if (now() < earliest || now() > latest) offsetMs = (earliest + latest) / 2 - deviceNow();
    },
  };
}
