/**
 * The clock on the restaurant's wall, and its days. Services and apps calculate with the same functions, so that a day of
 * tickets is a day of takings. Moments are milliseconds since the epoch.
 */

/** When a business day begins, unless the settings say another time: no restaurant that serves late is open then. */
export const defaultDayStartsAt = '04:00';

export type RestaurantClock = {
  /** An IANA name, for example `America/Sao_Paulo`. Without it, the time zone of this device. */
  timeZone: string | undefined;
  /** `HH:MM`: what was ordered and paid before that belongs to the day before. */
  dayStartsAt: string;
};

const dayMs = 86_400_000;

/** Whether this runtime knows the time zone: an old browser does not know a new name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Making a formatter takes longer than to format a thousand times. */
const formatters = new Map<string | undefined, Intl.DateTimeFormat>();
function formatterOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known) return known;
  const two = '2-digit';
  const formatter = new Intl.DateTimeFormat('en-US', {
    ...(timeZone !== undefined && { timeZone }),
    hourCycle: 'h23',
    year: 'numeric',
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
  });
  formatters.set(timeZone, formatter);
  return formatter;
}

/** How far the clocks of a time zone are ahead of UTC at a moment [ms]. */
export function utcOffsetMs(at: number, timeZone: string | undefined): number {
  const parts = formatterOf(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((each) => each.type === type)?.value ?? Number.NaN);
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return shown - Math.floor(at / 1000) * 1000;
}

/** The date there at a moment: `2026-11-20`. */
export const localDate = (at: number, timeZone: string | undefined): string =>
  new Date(at + utcOffsetMs(at, timeZone)).toISOString().slice(0, 10);

/**
 * The moments at which clocks there show this date and time, as if it were UTC: two in an hour that is repeated. In an hour
 * that is left out, the one moment at which the clocks jump over it.
 */
function momentsOf(shown: number, timeZone: string | undefined): readonly number[] {
  const around = [utcOffsetMs(shown - dayMs, timeZone), utcOffsetMs(shown + dayMs, timeZone)];
  let [first, last] = [shown - Math.max(...around), shown - Math.min(...around)];
  const moments = [...new Set([first, last])].filter((at) => at + utcOffsetMs(at, timeZone) === shown);
  if (moments.length > 0) return moments;
  const before = utcOffsetMs(first, timeZone);
  while (last - first > 1) {
    const middle = Math.floor((first + last) / 2);
    if (utcOffsetMs(middle, timeZone) === before) first = middle;
    else last = middle;
  }
  return [last];
}

const shownOn = (date: string, time: string): number => Date.parse(`${date}T${time}:00Z`);
const startOf = (date: string, { timeZone, dayStartsAt }: RestaurantClock): number =>
  momentsOf(shownOn(date, dayStartsAt), timeZone)[0] ?? Number.NaN;

/** The business day of a moment, named by the date on which it begins: `2026-11-20` at two in the morning of the 21st. */
export function businessDayOf(at: number, clock: RestaurantClock): string {
  const date = localDate(at, clock.timeZone);
  return startOf(date, clock) <= at ? date : new Date(Date.parse(date) - dayMs).toISOString().slice(0, 10);
}

/** When the business day of a moment began. */
export const startOfBusinessDay = (at: number, clock: RestaurantClock): number =>
  startOf(businessDayOf(at, clock), clock);

/** The first moment after `now` at which clocks there show `HH:MM`, or jump over it. */
export function nextTimeOfDay(time: string, now: number, timeZone: string | undefined): number {
  const today = shownOn(localDate(now, timeZone), time);
  return Math.min(...[today, today + dayMs].flatMap((shown) => momentsOf(shown, timeZone)).filter((at) => at > now));
}
