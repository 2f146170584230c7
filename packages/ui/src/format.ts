import { localDate } from '@comanda/contracts/restaurant-clock';
import { language, type Language } from './language.ts';
import { restaurantClock } from './restaurant-time.ts';

/** Caches one formatter for each language and kind, because creating a formatter takes longer than a frame on a slow phone. */
function remember<T>(create: (of: Language, kind: string) => T): (kind: string) => T {
  const made = new Map<string, T>();
  return (kind) => {
    const key = `${language.value} ${kind}`;
    const formatter = made.get(key) ?? create(language.value, kind);
    made.set(key, formatter);
    return formatter;
  };
}
const moneyFormatter = remember(
  (of, currency) => new Intl.NumberFormat(of, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }),
);
const tenthsFormatter = remember(
  (of) => new Intl.NumberFormat(of, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
);
/** Returns a function that formats a time (ISO 8601 text, or milliseconds since the epoch) in the restaurant's time zone. */
function rememberTimes(options: Intl.DateTimeFormatOptions, english = 'en'): (at: string | number) => string {
  const formatter = remember(
    (of, timeZone) =>
      // oxlint-disable-next-line no-restricted-properties -- with the zone of the restaurant
      new Intl.DateTimeFormat(of === 'en' ? english : of, { ...options, ...(timeZone !== '' && { timeZone }) }),
  );
  return (at) => formatter(restaurantClock.value.timeZone ?? '').format(new Date(at));
}
const listFormatter = remember((of, type) => new Intl.ListFormat(of, { type: type as 'conjunction' | 'unit' }));

const noBreakSpace = '\u00a0';

/** Passes an amount as text, to format it exactly. Browsers from before 2022 convert it to a number, exact to 15 digits. */
const exactly = (amount: string): number => amount as unknown as number;
/** Formats an amount from the API with its currency and a non-breaking space: `R$ 74.00` in English, `R$ 74,00` in Portuguese. */
export const formatMoney = (amount: string, currency: string): string =>
  moneyFormatter(currency)
    .formatToParts(exactly(amount))
    .filter(({ type }) => type !== 'literal')
    .map(({ type, value }) => (type === 'currency' ? value + noBreakSpace : value))
    .join('');

/** Formats a number with one decimal place: `0.4` in English, `0,4` in Portuguese. */
export const formatTenths = (value: number): string => tenthsFormatter('').format(value);

const minutes = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
/** Formats a time such as `20:01`. All times and dates in this file are in the restaurant's time zone, not the device's. */
export const formatTime = rememberTimes(minutes);
/** Formats a time such as `20:01:07`. */
export const formatTimeWithSeconds = rememberTimes({ ...minutes, second: '2-digit' });
/** Formats a date such as `Friday, 20 November`. */
export const formatDate = rememberTimes({ weekday: 'long', day: 'numeric', month: 'long' });
/** Formats a time as `20:01` if it is today, otherwise as `Friday, 20 November, 20:01`. `now` is the server's time in ms. */
export const formatUntil = (at: string | number, now: number): string =>
  dateOf(at) === dateOf(now) ? formatTime(at) : `${formatDate(at)}, ${formatTime(at)}`;
/** Formats a date such as `Nov 20, 2026`. */
export const formatDateWithYear = rememberTimes({ dateStyle: 'medium' });
const dayFormatter = rememberTimes({ day: 'numeric', month: 'short' }, 'en-GB');
const dayOfYearFormatter = rememberTimes({ day: 'numeric', month: 'short', year: 'numeric' }, 'en-GB');
/** Formats a date such as `2 Nov`. Adds the year unless it is the current year. */
export const formatDay = (at: string | number): string =>
  (dateOf(at).slice(0, 4) === dateOf(Date.now()).slice(0, 4) ? dayFormatter : dayOfYearFormatter)(at);
/** Formats a date such as `2026-11-20`, for example to compare days. */
export const dateOf = (at: string | number): string =>
  localDate(new Date(at).getTime(), restaurantClock.value.timeZone);
/** Formats a list such as `milk, eggs`. */
export const formatList = (parts: readonly string[]): string => listFormatter('unit').format(parts);
/** Formats a list such as `milk and eggs`. */
export const formatConjunction = (parts: readonly string[]): string => listFormatter('conjunction').format(parts);

/**
 * Returns the message for this count, as in `plural(3, { one: '1 item', other: '3 items' })`. Zero gets the plural even in
 * Portuguese, whose grammar would use the singular.
 */
export const plural = (count: number, { one, other }: { one: string; other: string }): string =>
  count === 1 ? one : other;

const typedFormatter = remember((of) => new Intl.NumberFormat(of, { minimumFractionDigits: 2, useGrouping: false }));
/** Formats an amount for an input field: `74.00` in English, `74,00` in Portuguese. */
export const formatTyped = (amount: string): string => typedFormatter('').format(exactly(amount));

const weightFormatter = remember(
  (of) => new Intl.NumberFormat(of, { minimumFractionDigits: 3, maximumFractionDigits: 3 }),
);
/** Formats a weight in kilograms: `0.432` in English, `0,432` in Portuguese. */
export const formatWeight = (kilograms: string): string => weightFormatter('').format(exactly(kilograms));

const rateFormatter = remember((of) => new Intl.NumberFormat(of, { maximumFractionDigits: 2 }));
/** Formats a rate in percent without trailing zeros: `10` for `"10.00"`, `12.5` for `"12.50"`. */
export const formatRate = (rate: string): string => rateFormatter('').format(exactly(rate));
