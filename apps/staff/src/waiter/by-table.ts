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

/** One dish in an order. */
export type Line = { order: LiveOrder; item: OrderItem };
/** The open orders of one table. */
export type Waiting = {
  /** Identifies the table. An order without a table gets a key of its own. */
  key: string;
  table: string | null;
  /** The name of the guest who ordered, for an order without a table. */
  guest: string;
  ready: readonly Line[];
  /** The table's open orders. */
  orders: readonly LiveOrder[];
  /** When the first ready dish became ready, in milliseconds by the server's clock; null if nothing is ready. */
  readySinceMs: number | null;
  /** The numbers of portions by status. */
  counts: { ready: number; cooking: number; notBegun: number; all: number };
  oldestMs: number;
};

const isOpen = ({ status }: { status: LiveOrder['status'] }): boolean =>
  status !== 'cancelled' && status !== 'delivered';
const keyOf = ({ table, id }: LiveOrder): string => (table === null ? `order ${id}` : `table ${textKey(table)}`);

/**
 * Groups open orders by table. Tables with ready dishes come first, the longest wait on top; then the others, oldest first.
 * `readyAt` returns when an item became ready, in milliseconds.
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

/** How long an order may wait until all its stations have shown it, in milliseconds. */
const unseenAfterMs = 20_000;

/** An order that was not shown in time at these stations, and that nobody has started there. The cooks may not know about it. */
export type Unseen = { order: LiveOrder; stations: readonly string[] };
export const unseenOrders = (orders: readonly LiveOrder[], now: number): readonly Unseen[] =>
  orders
    .filter(({ created_at: at }) => now - Date.parse(at) >= unseenAfterMs)
    .map((order) => ({ order, stations: unseenStations(order) }))
    .filter(({ stations }) => stations.length > 0);

export type Seated = Pick<Table, 'table' | 'seating'>;

/** Returns the table with this name, or else one that people read as the same: an order for `t9` is for the table `T9`. */
export const tableNamed = <T extends { table: string }>(tables: readonly T[], name: string | null): T | undefined =>
  name === null
    ? undefined
    : (tables.find(({ table }) => table === name) ?? tables.find(({ table }) => textKey(table) === textKey(name)));

/** Returns the orders with their tables' names spelled as in the list of tables. */
export const atTables = (tables: readonly Pick<Table, 'table'>[], orders: readonly LiveOrder[]): LiveOrder[] =>
  orders.map((order) => {
    const table = tableNamed(tables, order.table)?.table ?? order.table;
    return table === order.table ? order : { ...order, table };
  });

/** Returns what a table must pay: its seating's orders, and open orders without a seating. `orders` must come from `atTables`. */
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

/** Returns what is left to pay for these orders. If all open bills are known, a bill that isn't among them is paid. */
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

/** `loadedAtMs` is when the tables were loaded, in milliseconds by the server's clock. */
type LeftSources = { orders: readonly LiveOrder[]; loadedAtMs: number };

/**
 * Returns a table's open orders from guests who have left: their seating has ended, or was joined with another one. An unknown
 * seating may also be a new one, started after the tables were loaded; its orders are not included.
 */
export const findOrdersOfFormerGuests = ({ table, seating }: Seated, { orders, loadedAtMs }: LeftSources) =>
  orders.filter(
    (order) =>
      order.table === table &&
      isOpen(order) &&
      order.seating !== null &&
      order.seating !== seating &&
      (order.seating < (seating ?? Infinity) || Date.parse(order.created_at) < loadedAtMs),
  );

/** Returns open orders for tables that don't exist (any more). Their senders typed the table's name. */
export const findOrdersOfUnknownTables = (tables: readonly Pick<Table, 'table'>[], orders: readonly LiveOrder[]) => {
  const names = new Set(tables.map(({ table }) => table));
  return orders.filter((order) => order.table !== null && isOpen(order) && !names.has(order.table));
};

export const sumOf = (orders: readonly { total: string }[]): string =>
  fromMinor(orders.reduce((sum, { total }) => sum + toMinor(total), 0n));

/** Sorts tables as people count them, with 2 before 10. */
export const byTableName = ({ table: a }: { table: string }, { table: b }: { table: string }): number =>
  a.localeCompare(b, 'en', { numeric: true });
