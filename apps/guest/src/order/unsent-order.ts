import type { Client, Input, LiveOrder } from '@comanda/client/core';
import type { Earlier } from '@comanda/ui/unsent.ts';
import type { Unsent } from '@comanda/ui/unsent-entry.ts';
import { onDevice } from '../on-device.ts';
import type { Seat } from '../seat/seat.ts';
import { toOrder, type Basket, type Line } from './basket.ts';
import type { Orders } from './orders.ts';

/** The lines and allergies as the guest entered them, and the API's input made from them. */
type Typed = { lines: readonly Line[]; allergies: string; order: Input<'placeOrder'> };
/** An order that the server has not accepted yet. */
export type UnsentOrder = Unsent<{
  /** The order's content; null once it is back in the basket, because the device stores it only in one place. */
  typed: Typed | null;
  /** The dishes' ids and quantities. They help to find the order on the server if an earlier attempt has arrived. */
  dishes: string;
  /** A hash of the order's content, to recognize an unchanged basket. */
  print: number;
  userId: number;
  table: string;
  /** The seating; absent if the customer had none. */
  seating?: number;
  sum: string;
  /** When the guest sent the order, in milliseconds, by the server's clock. */
  at: number;
  /** When the last attempt started, in milliseconds, by the server's clock. */
  triedAt: number;
  /** When the guest sent the order, in milliseconds, by this device's clock. Absent if release 1.0.0 stored it. */
  tappedAt?: number;
  /** The ids of the orders that this phone had placed before; null if they were not loaded. */
  before: readonly number[] | null;
  /** True if the app stopped sending the order, because it was too old or for another table; not if the guest stopped it. */
  isOld?: boolean;
}>;
type OrderInput = UnsentOrder['input'];

/** How long the phone tries to send an order, in milliseconds. After that, nobody at the table expects it. */
const sendWindowMs = 15 * 60_000;
/** How long the phone shows what happened to an order, in milliseconds: as long as it stores the basket. */
const rememberedForMs = 2 * 3600_000;

/**
 * The order's age in milliseconds. Both times come from this device's clock, which may be hours off. If the clock was set in
 * between, the age is wrong.
 */
const ageOf = ({ tappedAt, at }: OrderInput): number => Math.abs(Date.now() - (tappedAt ?? at));
export const isTooOld = (input: OrderInput): boolean => ageOf(input) > sendWindowMs;
export const isForgotten = (input: OrderInput): boolean => ageOf(input) > rememberedForMs;

/**
 * Returns true if the order is for another table than the guest's. If staff have moved the guests or joined tables, the seating
 * stays the same, and the order goes to where they sit now.
 */
export function hasChangedTable({ table, seating }: OrderInput, { who, table: tableNow }: Seat): boolean {
  const isSameSeating = seating !== undefined && who.value?.seating === seating;
  return tableNow.value !== table && !isSameSeating;
}

/**
 * Returns a hash of the text (FNV-1a), so that the text itself needn't be stored. If two orders have the same hash, the server
 * rejects the second order, because its idempotency key was used for different content.
 */
function printOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93);
  return hash;
}
/**
 * Returns how many of each dish there are, by the dishes' ids. A combo is several items of one on the server, and staff may have
 * divided an item since.
 */
function dishesOf(items: readonly { id: number; quantity: number }[]): string {
  const counts = new Map<number, number>();
  for (const { id, quantity } of items) counts.set(id, (counts.get(id) ?? 0) + quantity);
  return [...counts]
    .sort(([one], [other]) => one - other)
    .map((each) => each.join(' '))
    .join('|');
}
/** Earlier releases stored the dishes by line. */
const itemsIn = (dishes: string): { id: number; quantity: number }[] =>
  dishes
    .split('|')
    .map((each) => each.split(' ').map(Number))
    .map(([id = 0, quantity = 0]) => ({ id, quantity }));
/** The fields of an unsent order that follow from its content. */
const factsOf = (typed: Typed) => ({
  typed,
  dishes: dishesOf(typed.lines.map(({ dishId: id, quantity }) => ({ id, quantity }))),
  print: printOf(JSON.stringify(typed.order)),
});

type Deps = { client: Client; seat: Seat; orders: Orders; basket: Basket };
/** Creates the unsent order from the basket; null if the basket is empty or the phone has no table. */
export function inputOfBasket({ client, seat, orders, basket }: Deps): OrderInput | null {
  const { userId, seating } = client.who() ?? {};
  const table = seat.table.value;
  const lines = basket.lines.value;
  if (lines.length === 0 || userId === undefined || table === null) return null;
  const allergies = basket.allergies.value;
  const at = client.now();
  return {
    ...factsOf({ lines, allergies, order: toOrder({ lines, allergies, seat }) }),
    userId,
    table,
    ...(seating !== undefined && { seating }),
    sum: basket.sumOf(lines),
    at,
    triedAt: at,
    tappedAt: Date.now(),
    before: orders.isComplete.value ? orders.all.value.filter(orders.isOwn).map(({ id }) => id) : null,
  };
}

/**
 * Returns true if the basket contains exactly the stopped order. It is then sent with the same key, so it is placed only once
 * even if an earlier attempt arrives.
 */
export const isSame = ({ state, input }: UnsentOrder, next: OrderInput, seat: Seat): boolean =>
  state === 'held' &&
  input.userId === next.userId &&
  input.print === next.print &&
  !isTooOld(input) &&
  !hasChangedTable(input, seat);

/** Finds a new order from this user with the stopped order's dishes. If there is one, an earlier attempt has arrived. */
export function findArrived(orders: readonly LiveOrder[], { dishes, before, at, userId }: OrderInput) {
  // `at` may be a few minutes off, because it is from this device's clock if the server had never responded.
  const from = at - (before ? 5 * 60_000 : 2000);
  return orders.find(
    (order) =>
      order.placed_by.id === userId &&
      !before?.includes(order.id) &&
      Date.parse(order.created_at) > from &&
      dishesOf(
        order.items.flatMap(({ item_id: id, quantity, part_of: of = null }) => (of === null ? { id, quantity } : [])),
      ) === dishesOf(itemsIn(dishes)),
  );
}

type StoredBy1 = Typed & { key: string; userId: number; table: string; sum: string; at: number };
/** Reads the unsent order in the form that release 1.0.0 stored. */
export const earlierOrder: Earlier = {
  stored: onDevice.outgoing,
  entryOf: (value) => {
    if (!['key', 'userId', 'table', 'lines', 'order'].every((name) => name in value)) return null;
    const { key, lines, allergies, order, at, ...rest } = value as StoredBy1;
    const input = { ...rest, ...factsOf({ lines, allergies, order }), at, triedAt: at, before: null };
    return { key, kind: 'order', input, attempts: 1 };
  },
};
