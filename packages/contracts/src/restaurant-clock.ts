/**
 * Computes the restaurant's local time and its business days. Services and apps use the same functions, so tickets and takings
 * have the same business day. Times are milliseconds since the epoch.
 */

/** The default start of a business day. By 04:00, even restaurants that serve late are closed. */
export const defaultDayStartsAt = '04:00';

export type RestaurantClock = {
  /** An IANA name such as `America/Sao_Paulo`; undefined for the device's time zone. */
  timeZone: string | undefined;
  /** `HH:MM`: orders and payments before this time belong to the previous day. */
  dayStartsAt: string;
};

const dayMs = 86_400_000;

/** Returns true if this runtime knows the time zone. An old browser may not know a new name. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Cached formatters, keyed by time zone: creating a formatter takes longer than formatting a thousand dates. */
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

/** Cached offsets, keyed by time zone and quarter of an hour: clocks change only at a full quarter. */
const offsets = new Map<string, number>();
const quarterMs = 900_000;
const maxOffsets = 1000;

/** Returns how far a time zone is ahead of UTC at a given time, in milliseconds. */
export function utcOffsetMs(at: number, timeZone: string | undefined): number {
  const key = `${timeZone} ${Math.floor(at / quarterMs)}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const offset = computeOffsetMs(at, timeZone);
  if (offsets.size >= maxOffsets) offsets.clear();
  offsets.set(key, offset);
  return offset;
}

function computeOffsetMs(at: number, timeZone: string | undefined): number {
  const parts = formatterOf(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes): number =>
    Number(parts.find((each) => each.type === type)?.value ?? Number.NaN);
  const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return shown - Math.floor(at / 1000) * 1000;
}

/** Returns the local date at a given time, such as `2026-11-20`. */
export const localDate = (at: number, timeZone: string | undefined): string =>
  new Date(at + utcOffsetMs(at, timeZone)).toISOString().slice(0, 10);

/** Returns the hour that local clocks show at a given time, from 0 to 23. */
export const localHour = (at: number, timeZone: string | undefined): number =>
  new Date(at + utcOffsetMs(at, timeZone)).getUTCHours();

/**
 * Returns the times at which local clocks show a date and time. `shown` is that date and time in milliseconds, as if it were UTC.
 * A repeated hour has two results. In a skipped hour, the only result is the moment when the clocks jump.
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
/** Returns the start of the business day that is named after this date, such as `2026-11-20`. */
export const startOfDate = (date: string, { timeZone, dayStartsAt }: RestaurantClock): number =>
  momentsOf(shownOn(date, dayStartsAt), timeZone)[0] ?? Number.NaN;

/**
 * Returns the business day at a given time, named after the date on which it starts: `2026-11-20` at two in the morning on the
 * 21st.
 */
export function businessDayOf(at: number, clock: RestaurantClock): string {
  const date = localDate(at, clock.timeZone);
  return startOfDate(date, clock) <= at ? date : new Date(Date.parse(date) - dayMs).toISOString().slice(0, 10);
}

/** Returns the start of the business day at a given time. */
export const startOfBusinessDay = (at: number, clock: RestaurantClock): number =>
  startOfDate(businessDayOf(at, clock), clock);

/** Returns the first time after `now` at which local clocks show `HH:MM`, or skip it. */
export function nextTimeOfDay(time: string, now: number, timeZone: string | undefined): number {
  const today = shownOn(localDate(now, timeZone), time);
  return Math.min(...[today, today + dayMs].flatMap((shown) => momentsOf(shown, timeZone)).filter((at) => at > now));
}
