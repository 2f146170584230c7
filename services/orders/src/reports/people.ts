import type { FiguresBefore, WaiterRow } from '@comanda/contracts/reports';
import type { Movement, Person } from '../cash-drawers/movement.ts';
import type { Exception } from '../exceptions/exception.ts';
import { fromMinor } from '../money.ts';

/** The bills that one person closed in these days, and their service charge in minor units. */
export type ClosedBy = { by: Person; count: number; serviceChargeMinor: number };
type Taken = {
  by: Person | null;
  method: Movement['method'];
  confirmedBy: Movement['confirmedBy'];
  count: number;
  amountMinor: number;
  tipsMinor: number;
  refundsMinor: number;
};

/** Sorts people by id. Customers, who have no name here, come last. */
const idOf = (by: Person | null): number => by?.id ?? Number.MAX_SAFE_INTEGER;

/** Returns what each person took and refunded by each method, then the service charge of the bills that they closed. */
export function waiterRows(movements: readonly Movement[], closed: readonly ClosedBy[]): WaiterRow[] {
  const rows = new Map<string, Taken>();
  for (const { kind, by, method, confirmedBy, amountMinor, tipMinor } of movements) {
    if (kind !== 'payment' && kind !== 'refund') continue;
    const key = `${by?.id ?? ''} ${method} ${confirmedBy ?? ''}`;
    const row = rows.get(key) ?? { by, method, confirmedBy, count: 0, amountMinor: 0, tipsMinor: 0, refundsMinor: 0 };
    const isPayment = kind === 'payment';
    rows.set(key, {
      ...row,
      by,
      count: row.count + (isPayment ? 1 : 0),
      amountMinor: row.amountMinor + (isPayment ? amountMinor : 0),
      tipsMinor: row.tipsMinor + (isPayment ? tipMinor : 0),
      refundsMinor: row.refundsMinor - (isPayment ? 0 : amountMinor),
    });
  }
  const taken = [...rows]
    .toSorted(
      ([firstKey, first], [otherKey, other]) => idOf(first.by) - idOf(other.by) || (firstKey < otherKey ? -1 : 1),
    )
    .map(([, row]) => ({
      by: row.by,
      method: row.method,
      confirmed_by: row.confirmedBy,
      count: row.count,
      amount: fromMinor(row.amountMinor),
      tips: fromMinor(row.tipsMinor),
      refunds: fromMinor(row.refundsMinor),
    }));
  const charges = closed
    .toSorted((first, other) => first.by.id - other.by.id)
    .map(({ by, count, serviceChargeMinor }) => ({
      by,
      method: null,
      confirmed_by: null,
      count,
      amount: fromMinor(serviceChargeMinor),
      tips: '0.00',
      refunds: '0.00',
    }));
  return [...taken, ...charges];
}

/** Returns the sums of exceptions by kind and person. */
export function exceptionSums(exceptions: readonly Exception[]): FiguresBefore['exceptions'] {
  const sums = new Map<string, { kind: Exception['kind']; by: Person | null; count: number; amountMinor: number }>();
  for (const { kind, by, amountMinor } of exceptions) {
    const key = `${kind} ${by?.id ?? ''}`;
    const before = sums.get(key) ?? { count: 0, amountMinor: 0 };
    sums.set(key, { kind, by, count: before.count + 1, amountMinor: before.amountMinor + amountMinor });
  }
  return [...sums.values()]
    .toSorted((first, other) =>
      first.kind < other.kind ? -1 : first.kind > other.kind ? 1 : idOf(first.by) - idOf(other.by),
    )
    .map(({ amountMinor, ...row }) => ({ ...row, amount: fromMinor(amountMinor) }));
}
