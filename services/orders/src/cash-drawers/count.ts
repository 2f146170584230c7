import { mainCashDrawer, type CashCount as CountRow } from '@comanda/contracts/cash-drawers';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import { fromMinor } from '../money.ts';
import { cashMoved, movementsByHand, type NewMovement, type Person } from './movement.ts';

/** A count of a cash drawer. */
export type CashCount = {
  id: number;
  day: number;
  cashDrawer: string;
  at: Date;
  by: Person;
  /** What should be in it; null for the first count of `main`, which holds something unknown then. */
  expectedMinor: number | null;
  countedMinor: number;
  /** `countedMinor` less `expectedMinor`; null if that is null. */
  differenceMinor: number | null;
  /** What stays in it. */
  leftMinor: number;
  /** The cash drawer that gets the rest; null for none. */
  to: string | null;
  request: IdempotentRequest | null;
};

/** Returns what should be in a cash drawer. `last`: its count before; `movedMinor`: what moved in it since. */
export function expectedIn(
  cashDrawer: string,
  { last, movedMinor }: { last: Pick<CashCount, 'leftMinor'> | null; movedMinor: number },
): number | null {
  if (last) return last.leftMinor + movedMinor;
  return cashDrawer === mainCashDrawer ? null : movedMinor;
}

/** Returns the movements that a count writes: what is too much or missing, and what is taken out. */
export function movementsOfCount(count: Omit<CashCount, 'id' | 'day' | 'request'>): NewMovement[] {
  const { at, by, cashDrawer, differenceMinor, countedMinor, leftMinor, to } = count;
  const difference = differenceMinor ?? 0;
  const taken = countedMinor - leftMinor;
  const common = { at, by, cashDrawer, reason: null };
  return [
    ...(difference === 0
      ? []
      : [
          {
            ...cashMoved,
            ...common,
            kind: 'difference' as const,
            amountMinor: difference,
            other: null,
            isOfCount: true,
            request: null,
          },
        ]),
    ...(taken === 0
      ? []
      : movementsByHand({ ...common, kind: 'drop', amountMinor: taken, other: to, isOfCount: true })),
  ];
}

/** Converts a count to the API's response. Waiters must not learn what should have been there. */
export function toCountRow(count: CashCount, { isManager }: { isManager: boolean }): CountRow {
  const [expected, difference] = isManager ? [count.expectedMinor, count.differenceMinor] : [null, null];
  return {
    id: count.id,
    day: count.day,
    cash_drawer: count.cashDrawer,
    at: count.at.toISOString(),
    by: count.by,
    expected: expected === null ? null : fromMinor(expected),
    counted: fromMinor(count.countedMinor),
    difference: difference === null ? null : fromMinor(difference),
    left: fromMinor(count.leftMinor),
    to: count.to,
  };
}
