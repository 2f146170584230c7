/** Formats a time as `8 min`, or as `2 h 08` from 100 minutes on. Both are the same in English and Portuguese. */
export const shortAge = (minutes: number): string =>
  minutes < 100
    ? `${minutes}\u00a0min`
    : `${Math.floor(minutes / 60)}\u00a0h\u00a0${String(minutes % 60).padStart(2, '0')}`;
