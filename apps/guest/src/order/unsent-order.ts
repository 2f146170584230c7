import type { Client, Input, LiveOrder } from '@comanda/client/core';
import type { Earlier, Unsent } from '@comanda/ui/unsent.ts';
import type { Seat } from '../seat/seat.ts';
import { toOrder, type Basket, type Line } from './basket.ts';
import type { Orders } from './orders.ts';

/** What the guest has chosen and typed. */
type Typed = { lines: readonly Line[]; allergies: string; order: Input<'placeOrder'> };
/** An order that the server has not accepted. */
export type UnsentOrder = Unsent<{
  /** Null once it is back in the basket: the device then stores it only there. */
  typed: Typed | null;
  /** The dishes and how many, to find the order if an attempt has arrived. */
  dishes: string;
  /** The print of what was typed, to know the same basket again. */
  print: number;
  userId: number;
  table: string;
  /** Absent if its customer sat at no table. */
  seating?: number;
  sum: string;
  /** When it was sent, by the server's clock. */
  at: number;
  /** When the last attempt started, by the server's clock. */
  triedAt: number;
  /** When it was sent, by this device's clock. Absent if release 1.0.0 stored it. */
  tappedAt?: number;
  /** The ids of the phone's earlier orders; null if the phone had not loaded them. */
  before: readonly number[] | null;
  /** The guest did not stop it: it was old, or for another table. */
  isOld?: boolean;
}>;
type OrderInput = UnsentOrder['input'];

/** Later, nobody at the table expects the order any more. */
const triedForMs = 15 * 60_000;
/** How long the phone says what became of an order, which is as long as it keeps the basket. */
const toldForMs = 2 * 3600_000;

/** Compares two times of one clock, because this device's may be hours wrong. If it was set in between, the age is unknown. */
const ageOf = ({ tappedAt, at }: OrderInput): number => Math.abs(Date.now() - (tappedAt ?? at));
export const isTooOld = (input: OrderInput): boolean => ageOf(input) > triedForMs;
export const isForgotten = (input: OrderInput): boolean => ageOf(input) > toldForMs;

/** Staff who move guests keep their seating, and those who join tables keep the tables: then it goes to where they are. */
export function isElsewhere({ table, seating }: OrderInput, { who, table: tableNow }: Seat): boolean {
  const isSameSeating = seating !== undefined && who.value?.seating === seating;
  return tableNow.value !== table && !isSameSeating;
}

/** A print of a text that does not contain it (FNV-1a). If two texts share one, the server rejects the second order's key. */
function printOf(text: string): number {
  let hash = 0x81_1c_9d_c5;
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01_00_01_93);
  return hash;
}
const dishesOf = (items: readonly { id: number; quantity: number }[]): string =>
  items.map(({ id, quantity }) => `${id} ${quantity}`).join('|');
/** What follows from the typed order. */
const factsOf = (typed: Typed) => ({
  typed,
  dishes: dishesOf(typed.lines.map(({ dishId: id, quantity }) => ({ id, quantity }))),
  print: printOf(JSON.stringify(typed.order)),
});

type Deps = { client: Client; seat: Seat; orders: Orders; basket: Basket };
/** The order that is in the basket; null if nothing can be sent. */
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

/** Checks whether the basket holds the stopped order unchanged. With its key it has one effect, even if an attempt arrives. */
export const isSame = ({ state, input }: UnsentOrder, next: OrderInput, seat: Seat): boolean =>
  state === 'held' &&
  input.userId === next.userId &&
  input.print === next.print &&
  !isTooOld(input) &&
  !isElsewhere(input, seat);

/** Finds an order of this phone that has the stopped one's dishes and is new: an earlier attempt arrived after all. */
export function findArrived(orders: readonly LiveOrder[], { dishes, before, at, userId }: OrderInput) {
  // Without any answer of the server it was this device's clock, which may be wrong by some minutes.
  const from = at - (before ? 5 * 60_000 : 2000);
  return orders.find(
    (order) =>
      order.placed_by.id === userId &&
      !before?.includes(order.id) &&
      Date.parse(order.created_at) > from &&
      dishesOf(order.items.map(({ item_id: id, quantity }) => ({ id, quantity }))) === dishes,
  );
}

type StoredBy1 = Typed & { key: string; userId: number; table: string; sum: string; at: number };
/** The one order on its way that release 1.0.0 stored. */
export const earlierOrder: Earlier = {
  name: 'outgoing',
  entryOf: (value) => {
    if (!['key', 'userId', 'table', 'lines', 'order'].every((name) => name in value)) return null;
    const { key, lines, allergies, order, at, ...rest } = value as StoredBy1;
    const input = { ...rest, ...factsOf({ lines, allergies, order }), at, triedAt: at, before: null };
    return { key, kind: 'order', input, attempts: 1 };
  },
};
