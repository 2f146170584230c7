import type { Input } from '@comanda/client/core';
import type { PaymentMethod } from '@comanda/contracts/bill-payments';
import { startOfDate, type RestaurantClock } from '@comanda/contracts/restaurant-clock';
import { readAmount } from '@comanda/ui/read-amount.ts';

/** What a manager looks for, as it is entered. Empty texts match every bill. */
export type BillFilter = Readonly<Record<'date' | 'table' | 'number' | 'amount' | 'method' | 'person', string>>;
export type FilterField = keyof BillFilter;

export const noFilter: BillFilter = { date: '', table: '', number: '', amount: '', method: '', person: '' };
const fields = Object.keys(noFilter) as FilterField[];
const dayMs = 86_400_000;

/** Reads the filter from the page's address, so that it is there again after a bill was opened. */
export function filterOf(query: string): BillFilter {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries(fields.map((field) => [field, parameters.get(field) ?? ''])) as BillFilter;
}

/** Writes the filter as a part of the page's address. */
export const queryOf = (filter: BillFilter): string =>
  new URLSearchParams(
    fields.flatMap((field) => (filter[field] === '' ? [] : [[field, filter[field].trim()]])),
  ).toString();

const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));

/** Returns the fields that the server would reject. */
export const invalidFields = ({ date, table, number, amount }: BillFilter): readonly FilterField[] => [
  ...(date === '' || isDate(date) ? [] : (['date'] as const)),
  ...(/^[A-Za-z0-9-]{0,16}$/.test(table.trim()) ? [] : (['table'] as const)),
  ...(/^([1-9]\d{0,14})?$/.test(number.trim()) ? [] : (['number'] as const)),
  ...(amount.trim() === '' || readAmount(amount) !== null ? [] : (['amount'] as const)),
];

/** Returns the call's query. A date is a business day in the restaurant's time zone. */
export function billQueryOf(filter: BillFilter, clock: RestaurantClock): Input<'listBills'> {
  const amount = readAmount(filter.amount);
  const start = filter.date === '' ? null : startOfDate(filter.date, clock);
  // Not 24 hours later: a day on which the clocks change is shorter or longer.
  const end = filter.date === '' ? null : startOfDate(nextDate(filter.date), clock);
  return {
    ...(start !== null && end !== null && { since: new Date(start).toISOString(), until: new Date(end).toISOString() }),
    ...(filter.table.trim() !== '' && { table: filter.table.trim() }),
    ...(filter.number.trim() !== '' && { number: Number(filter.number) }),
    ...(amount !== null && { amount }),
    ...(filter.method !== '' && { method: filter.method as PaymentMethod }),
    ...(filter.person !== '' && { person: Number(filter.person) }),
  };
}

const nextDate = (date: string): string => new Date(Date.parse(date) + dayMs).toISOString().slice(0, 10);
