import { language, type Language } from './language.ts';

/** One formatter for each language and kind: making one takes longer than a frame on a slow phone. */
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
const timeFormatter = remember(
  (of, second) =>
    new Intl.DateTimeFormat(of, {
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      ...(second === 'seconds' && { second: '2-digit' }),
    }),
);
const dateFormatter = remember((of) => new Intl.DateTimeFormat(of, { weekday: 'long', day: 'numeric', month: 'long' }));
const yearFormatter = remember((of) => new Intl.DateTimeFormat(of, { dateStyle: 'medium' }));
const pluralRules = remember((of) => new Intl.PluralRules(of));
const listFormatter = remember((of, type) => new Intl.ListFormat(of, { type: type as 'conjunction' | 'unit' }));

const noBreakSpace = '\u00a0';

/** `R$ 74.00` in English, `R$ 74,00` in Portuguese: of an amount as the API writes it, with a space that does not break. */
export const formatMoney = (amount: string, currency: string): string =>
  moneyFormatter(currency)
    .formatToParts(amount as Intl.StringNumericLiteral)
    .filter(({ type }) => type !== 'literal')
    .map(({ type, value }) => (type === 'currency' ? value + noBreakSpace : value))
    .join('');

/** `0.4` in English, `0,4` in Portuguese. */
export const formatTenths = (value: number): string => tenthsFormatter('').format(value);

/** `20:01`, in the device's time zone. */
export const formatTime = (at: string | number): string => timeFormatter('minutes').format(new Date(at));
/** `20:01:07`. */
export const formatTimeWithSeconds = (at: string | number): string => timeFormatter('seconds').format(new Date(at));
/** `Friday, 20 November`. */
export const formatDate = (at: string | number): string => dateFormatter('').format(new Date(at));
/** `20:01` of today, `Friday, 20 November, 20:01` of another day. */
export const formatUntil = (at: string | number): string =>
  new Date(at).toDateString() === new Date().toDateString() ? formatTime(at) : `${formatDate(at)}, ${formatTime(at)}`;
/** `Nov 20, 2026`. */
export const formatDateWithYear = (at: string | number): string => yearFormatter('').format(new Date(at));
/** `milk, eggs`. */
export const formatList = (parts: readonly string[]): string => listFormatter('unit').format(parts);
/** `milk and eggs`. */
export const formatConjunction = (parts: readonly string[]): string => listFormatter('conjunction').format(parts);

/** The form of a message for this number: `plural(3, { one: 'item', other: 'items' })`. */
export const plural = (count: number, { one, other }: { one: string; other: string }): string =>
  pluralRules('').select(count) === 'one' ? one : other;

const typedFormatter = remember((of) => new Intl.NumberFormat(of, { minimumFractionDigits: 2, useGrouping: false }));
/** `74.00` in English, `74,00` in Portuguese: as people type it. */
export const formatTyped = (amount: string): string => typedFormatter('').format(amount as Intl.StringNumericLiteral);

const rateFormatter = remember((of) => new Intl.NumberFormat(of, { maximumFractionDigits: 2 }));
/** `10` of `"10.00"`, `12.5` of `"12.50"`. */
export const formatRate = (rate: string): string => rateFormatter('').format(rate as Intl.StringNumericLiteral);
