import type { LiveOrder } from '@comanda/client/core';
import type { Bill } from '@comanda/contracts/bills';
import type { TableCall } from '@comanda/contracts/calls';
import type { Table } from '@comanda/contracts/tables';
import { byTableName } from './by-table.ts';
import { callsOf, joinedWith, paidAtOf } from './table-filter.ts';
import type { WaiterSession } from './waiter-session.ts';

/**
 * The states of a table, most urgent first. `ordering`: seated, and nothing is ordered yet. `served`: all is served, and not all is
 * paid. `unknown`: its orders are still loading.
 */
const floorStates = ['wants', 'ready', 'ordering', 'paid', 'to_clean', 'served', 'cooking', 'free', 'unknown'] as const;
export type FloorState = (typeof floorStates)[number];

/** What decides a table's state. `total` is what is left to pay, `leftCount` the open orders of guests who have left. */
type Facts = {
  table: Pick<Table, 'status' | 'seating'>;
  calls: readonly TableCall[];
  orders: readonly Pick<LiveOrder, 'items'>[];
  openCount: number;
  leftCount: number;
  total: string | null;
  /** True once all orders are loaded. */
  isKnown: boolean;
};

export function stateOf({ table, calls, orders, openCount, leftCount, total, isKnown }: Facts): FloorState {
  if (calls.length > 0) return 'wants';
  if (orders.some(({ items }) => items.some(({ status }) => status === 'ready'))) return 'ready';
  if (table.status === 'to_clean' && orders.length === 0) return 'to_clean';
  if (!isKnown) return 'unknown';
  if (table.seating !== null && orders.length > 0 && total === '0.00') return 'paid';
  if (openCount + leftCount > 0) return 'cooking';
  if (orders.length > 0) return 'served';
  return table.seating === null ? 'free' : 'ordering';
}

/** A table as its tile on the floor shows it. */
export type Spot = Omit<Facts, 'table' | 'isKnown'> & {
  table: Table;
  state: FloorState;
  currency: string;
  /** The number of guests who have ordered with their phones. */
  guests: number;
  /** The number of guests that staff have entered; null if they have not. */
  covers: number | null;
  joined: readonly string[];
  paidAt: string | null;
  /** When the table's need began, in milliseconds; Infinity if it needs nothing. */
  sinceMs: number;
};

export function spotOf(session: WaiterSession, table: Table): Spot {
  const { bills, paying } = session;
  const { orders, openCount, total, currency } = bills.of(table);
  const calls = callsOf(session, table);
  const leftCount = bills.ordersOfFormerGuests(table).length;
  const facts = { table, calls, orders, openCount, leftCount, total, isKnown: bills.areKnown.value };
  const ofSeating = paying.bills.value.filter(({ seating }) => seating !== null && seating === table.seating);
  // Staff have no name on a bill.
  const guests = new Set(
    ofSeating.flatMap(({ lines }) => lines.flatMap(({ ordered_by: { id, name } }) => (name === null ? [] : [id]))),
  );
  const since = calls[0]?.created_at ?? table.seated_at;
  return {
    ...facts,
    state: stateOf(facts),
    currency,
    guests: guests.size,
    covers: sumOfCovers(ofSeating),
    joined: joinedWith(session, table),
    paidAt: paidAtOf(session, table),
    sinceMs: since == null ? Infinity : Date.parse(since),
  };
}

/** Returns the number of guests on a seating's open bills; null if staff have entered none. */
function sumOfCovers(bills: readonly Pick<Bill, 'status' | 'covers'>[]): number | null {
  const entered = bills.flatMap(({ status, covers }) => (status === 'open' ? (covers ?? []) : []));
  return entered.length === 0 ? null : entered.reduce((sum, covers) => sum + covers, 0);
}

/** Sorts tables by what they need, the longest wait first. */
export const byNeed = (a: Spot, b: Spot): number =>
  floorStates.indexOf(a.state) - floorStates.indexOf(b.state) ||
  Math.sign(a.sinceMs - b.sinceMs || 0) ||
  byTableName(a.table, b.table);
