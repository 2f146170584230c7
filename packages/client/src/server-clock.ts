/** An estimate of the server's time. The device's own clock may be wrong by hours. */
export type ServerClock = {
  /** Returns the server's time in milliseconds since the epoch, or the device's time until the server has sent its time. */
  now: () => number;
  /** Returns how many milliseconds the server's clock is ahead of this device's clock. */
  offsetMs: () => number;
  /** Corrects the estimate with a time that the server has just sent, which is exact to the millisecond. */
  takeTime: (time: string) => void;
  /**
   * Corrects the estimate with the `Date` header from a response that arrived `elapsedMs` milliseconds after its request. The
   * header is exact only to the second.
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
      // The current estimate may be more exact than the header, so it is changed only if the two contradict each other.
      if (now() < earliest || now() > latest) offsetMs = (earliest + latest) / 2 - deviceNow();
    },
  };
}
