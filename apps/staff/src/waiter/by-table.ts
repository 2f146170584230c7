import { groupBy } from '@comanda/contracts/collections';
import type { LiveOrder } from '@comanda/client/core';
import { unseenStations } from '@comanda/contracts/order-stations';
import { textKey } from '@comanda/contracts/text-key';
import { defaultCurrency } from '@comanda/contracts/rules';
import type { Bill } from '@comanda/contracts/bills';
import type { Table } from '@comanda/contracts/tables';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { guestName } from '@comanda/ui/guest-name.ts';
import type { OrderItem } from '../bumps/ticket.ts';

/** A dish of an order. */
export type Line = { order: LiveOrder; item: OrderItem };
/** What a table waits for. */
export type Waiting = {
  /** Orders of one table are together; one without a table stands alone. */
  key: string;
  table: string | null;
  /** Who ordered, for an order without a table. */
  guest: string;
  ready: readonly Line[];
  /** The open orders. */
  orders: readonly LiveOrder[];
  /** Since when the first of them is ready, by the server's clock; null if nothing is ready. */
  readySinceMs: number | null;
  /** Portions. */
  counts: { ready: number; cooking: number; notBegun: number; all: number };
  oldestMs: number;
};

const isOpen = ({ status }: { status: LiveOrder['status'] }): boolean =>
  status !== 'cancelled' && status !== 'delivered';
const keyOf = ({ table, id }: LiveOrder): string => (table === null ? `order ${id}` : `table ${textKey(table)}`);

/**
 * Tables with open orders: those with something ready first, the longest wait on top, then the others, oldest first.
 * `readyAt` says when an item became ready.
 */
export function waitingTables(orders: readonly LiveOrder[], readyAt: (line: Line) => number): readonly Waiting[] {
  const groups = groupBy(orders.filter(isOpen), keyOf);
  return [...groups].map(([key, group]) => waitingOf(key, group, readyAt)).sort(byUrgency);
}

function waitingOf(key: string, group: readonly LiveOrder[], readyAt: (line: Line) => number): Waiting {
  const lines = group.flatMap((order) => order.items.map((item) => ({ order, item })));
  const ofStatus = (status: OrderItem['status']): Line[] => lines.filter(({ item }) => item.status === status);
  const portions = (some: readonly Line[]): number => some.reduce((sum, { item }) => sum + item.quantity, 0);
  const ready = ofStatus('ready');
  const counts = {
    ready: portions(ready),
    cooking: portions(ofStatus('preparing')),
    notBegun: portions(ofStatus('received')),
  };
  return {
    key,
    table: group[0]?.table ?? null,
    guest: guestName(group[0]?.placed_by.name ?? ''),
    ready,
    orders: group,
    readySinceMs: ready.length === 0 ? null : Math.min(...ready.map(readyAt)),
    counts: { ...counts, all: counts.ready + counts.cooking + counts.notBegun },
    oldestMs: Math.min(...group.map(({ created_at: at }) => Date.parse(at))),
  };
}

const byUrgency = (a: Waiting, b: Waiting): number =>
  (a.readySinceMs ?? Infinity) === (b.readySinceMs ?? Infinity)
    ? a.oldestMs - b.oldestMs
    : (a.readySinceMs ?? Infinity) - (b.readySinceMs ?? Infinity);

/** How long an order may wait until each of its stations shows it. */
const unseenAfterMs = 20_000;

/** An order with dishes that nobody has begun, at stations that have not shown it in time: nobody there may know of it. */
export type Unseen = { order: LiveOrder; stations: readonly string[] };
export const unseenOrders = (orders: readonly LiveOrder[], now: number): readonly Unseen[] =>
  orders
    .filter(({ created_at: at }) => now - Date.parse(at) >= unseenAfterMs)
    .map((order) => ({ order, stations: unseenStations(order) }))
    .filter(({ stations }) => stations.length > 0);

export type Seated = Pick<Table, 'table' | 'seating'>;

/** The table of this name, or else the one that people read as the same: an order may be for `t9` of table `T9`. */
export const tableNamed = <T extends { table: string }>(tables: readonly T[], name: string | null): T | undefined =>
  name === null
    ? undefined
    : (tables.find(({ table }) => table === name) ?? tables.find(({ table }) => textKey(table) === textKey(name)));

/** The orders, with their tables written as in the list of tables. */
export const atTables = (tables: readonly Pick<Table, 'table'>[], orders: readonly LiveOrder[]): LiveOrder[] =>
  orders.map((order) => {
    const table = tableNamed(tables, order.table)?.table ?? order.table;
    return table === order.table ? order : { ...order, table };
  });

/** What the people at a table have ordered and must pay: of their seating, and open orders without one. Of orders `atTables`. */
export const billOf = ({ table, seating }: Seated, orders: readonly LiveOrder[]) => {
  const ordered = orders.filter(
    (order) =>
      order.table === table &&
      order.status !== 'cancelled' &&
      (order.seating === null ? isOpen(order) : order.seating === seating),
  );
  return {
    orders: ordered,
    openCount: ordered.filter(isOpen).length,
    currency: ordered[0]?.currency ?? orders[0]?.currency ?? defaultCurrency,
  };
};

type KnownBills = { bills: readonly Pick<Bill, 'id' | 'remaining'>[]; areAllKnown: boolean };

/** What is left to pay for these orders. A bill that is not among all open ones is paid. */
export function openTotalOf(orders: readonly LiveOrder[], { bills, areAllKnown }: KnownBills): string {
  const byId = new Map(bills.map((bill) => [bill.id, bill]));
  const groups = groupBy(orders, ({ bill_id: id }) => id ?? null);
  const totals = [...groups].map(([id, ofBill]) => {
    const bill = id === null ? undefined : byId.get(id);
    if (bill) return bill.remaining;
    return id !== null && areAllKnown ? '0.00' : sumOf(ofBill);
  });
  return sumOf(totals.map((total) => ({ total })));
}

/** `loadedAtMs`: when the tables were read, by the server's clock. */
type LeftSources = { orders: readonly LiveOrder[]; loadedAtMs: number };

/**
 * Open orders of people who are gone: their seating has ended, or was joined with another one. A seating that is not known may
 * also have begun after the tables were read.
 */
export const leftOrdersOf = ({ table, seating }: Seated, { orders, loadedAtMs }: LeftSources) =>
  orders.filter(
    (order) =>
      order.table === table &&
      isOpen(order) &&
      order.seating !== null &&
      order.seating !== seating &&
      (order.seating < (seating ?? Infinity) || Date.parse(order.created_at) < loadedAtMs),
  );

/** Open orders for tables that do not exist, or no longer: who sent them wrote the name. */
export const strayOrdersOf = (tables: readonly Pick<Table, 'table'>[], orders: readonly LiveOrder[]) => {
  const names = new Set(tables.map(({ table }) => table));
  return orders.filter((order) => order.table !== null && isOpen(order) && !names.has(order.table));
};

export const sumOf = (orders: readonly { total: string }[]): string =>
  fromMinor(orders.reduce((sum, { total }) => sum + toMinor(total), 0n));

/** Tables as people count them: 2 before 10. */
export const byTableName = ({ table: a }: { table: string }, { table: b }: { table: string }): number =>
  a.localeCompare(b, 'en', { numeric: true });
