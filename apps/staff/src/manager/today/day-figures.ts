import { fromMinor } from '@comanda/contracts/money';
import type { Figures, FiguresBefore } from '@comanda/contracts/reports';
import { minorOf, sumOf } from '../sum-of.ts';

const ratioOf = (part: string, whole: string): number =>
  minorOf(whole) === 0n ? 0 : Number(minorOf(part)) / Number(minorOf(whole));

/** Everything that was ordered, before discounts. */
export const orderedOf = ({ hours }: Pick<FiguresBefore, 'hours'>): string => sumOf(hours.map(({ amount }) => amount));

/** What was ordered per bill, open ones included; null without bills. */
export function perBill(figures: Pick<FiguresBefore, 'hours' | 'bills'>): string | null {
  const bills = figures.bills.closed + figures.bills.open;
  return bills === 0 ? null : fromMinor(minorOf(orderedOf(figures)) / BigInt(bills));
}

/** The late share in percent; null if nothing became ready. */
export const latePercent = ({ late: { items, of } }: Pick<FiguresBefore, 'late'>): number | null =>
  of === 0 ? null : Math.round((items * 100) / of);

/** By how many percent an amount is above (or below, if negative) another one; null if that is zero. */
const percentAbove = (amount: string, other: string): number | null =>
  minorOf(other) === 0n ? null : Math.round((ratioOf(amount, other) - 1) * 100);

export type Hour = { hour: number; orders: number; items: number; amount: string; before: string };

/** How many hours after the start of a day an hour is. */
const placeOf = (hour: number, startHour: number): number => (hour - startHour + 24) % 24;

/** The hours from the first order to the last, of this day and the one before. `startHour` is when a day starts. */
export function hoursOf({ hours, before }: Pick<Figures, 'hours' | 'before'>, startHour: number): readonly Hour[] {
  const others = before?.hours ?? [];
  const places = [...hours, ...others].map(({ hour }) => placeOf(hour, startHour));
  if (places.length === 0) return [];
  const [first, last] = [Math.min(...places), Math.max(...places)];
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const hour = (first + index + startHour) % 24;
    const own = hours.find((each) => each.hour === hour);
    return {
      hour,
      orders: own?.orders ?? 0,
      items: own?.items ?? 0,
      amount: own?.amount ?? '0.00',
      before: others.find((each) => each.hour === hour)?.amount ?? '0.00',
    };
  });
}

/**
 * Compares the sales with those of the day before. While a day runs, only hours that have passed are compared: `untilHour` is the
 * current hour, and `startHour` is when a day starts. Null if there is nothing to compare, such as before the first order.
 */
export function comparison(
  hours: readonly Hour[],
  { untilHour, startHour }: { untilHour: number | null; startHour: number },
): number | null {
  if (hours.every(({ orders }) => orders === 0)) return null;
  const passed = hours.filter(
    ({ hour }) => untilHour === null || placeOf(hour, startHour) < placeOf(untilHour, startHour),
  );
  return percentAbove(sumOf(passed.map(({ amount }) => amount)), sumOf(passed.map(({ before }) => before)));
}

/** The part of the highest value that each value is, from 0 to 1. */
export function sharesOf(values: readonly (string | number)[]): readonly number[] {
  const numbers = values.map((value) => Math.max(0, Number(value)));
  const highest = Math.max(...numbers);
  return numbers.map((value) => (highest === 0 ? 0 : value / highest));
}

/** The lowest round number that is not below the value, such as 1, 2, 3 or 4 with zeros. */
export function roundUp(value: number): number {
  if (value <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 3, 4, 5, 6, 8, 10].find((step) => step * unit >= value) ?? 10) * unit;
}

type Person = Figures['exceptions'][number]['by'];
/** What one person got as tips or took off bills. `by`: null for customers. */
export type OfPerson = {
  by: Person;
  amount: string;
  kinds: readonly { kind: Figures['exceptions'][number]['kind']; count: number }[];
};

function byPerson<T extends { by: Person; amount: string }>(rows: readonly T[]): readonly (readonly [Person, T[]])[] {
  const people = new Map<number, [Person, T[]]>();
  for (const row of rows) {
    const id = row.by?.id ?? 0;
    people.set(id, [row.by, [...(people.get(id)?.[1] ?? []), row]]);
  }
  return [...people.values()];
}
const byAmount = (a: { amount: string }, b: { amount: string }): number => Number(b.amount) - Number(a.amount);

/** The tips of each person, highest first. */
export const tipsByPerson = ({ waiters }: Pick<FiguresBefore, 'waiters'>): readonly OfPerson[] =>
  byPerson(waiters.filter(({ tips }) => tips !== '0.00').map(({ by, tips }) => ({ by, amount: tips })))
    .map(([by, rows]) => ({ by, amount: sumOf(rows.map(({ amount }) => amount)), kinds: [] }))
    .sort(byAmount);

/** Exceptions that a manager should see, but that take nothing off: their amounts are still paid. */
const takesNothing: ReadonlySet<string> = new Set(['order_moved', 'reopened', 'pix_assigned']);

/** What each person took off bills, highest first. */
export const takenOffByPerson = ({ exceptions }: Pick<FiguresBefore, 'exceptions'>): readonly OfPerson[] =>
  byPerson(exceptions)
    .map(([by, rows]) => ({
      by,
      amount: sumOf(rows.map(({ kind, amount }) => (takesNothing.has(kind) ? '0.00' : amount))),
      kinds: [...rows].sort(byAmount).map(({ kind, count }) => ({ kind, count })),
    }))
    .sort(byAmount);
