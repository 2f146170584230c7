const nightHour = 4;

type Moment = {
  now: Date;
  /** When the new release was noticed. */
  foundAtMs: number;
  /** Whether nobody would miss the page for the second of a reload. */
  isQuiet: boolean;
};

/** Whether a screen takes a new release now: at a quiet moment, else at the next 4 o'clock in the morning of this place. */
export function isTimeToTake({ now, foundAtMs, isQuiet }: Moment): boolean {
  if (isQuiet) return true;
  const night = new Date(foundAtMs);
  night.setHours(nightHour, 0, 0, 0);
  if (night.getTime() <= foundAtMs) night.setDate(night.getDate() + 1);
  return now >= night;
}
