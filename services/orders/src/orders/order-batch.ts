import { isDeepStrictEqual } from 'node:util';
import { problem, Problem } from '@comanda/contracts/problems';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import { afterTaking, onDay } from '../house/house.ts';
import type { Counters, Pause } from '../house/house.ts';
import type { HouseStore } from '../house/house-store.ts';
import { dishChanged, nameKey } from '../menu/menu-item.ts';
import type { Dish } from '../menu/menu-item.ts';
import type { DishWrite, MenuStore } from '../menu/menu-store.ts';
import type { Change } from './order-change.ts';
import { recordPlaced } from './order-events.ts';
import { portionsReturned } from './order-moves.ts';
import type { NewOrder, OrderStore, OrderWrite, PlacedCall } from './order-store.ts';
import { asPlaced } from './order.ts';
import type { Order } from './order.ts';
import { place } from './placement.ts';
import type { Placement, Stock } from './placement.ts';

/** An order to be placed, or a change to one that gives portions of these dishes back. */
export type Work =
  | { kind: 'place'; placement: Placement; traceparent: string }
  | { kind: 'change'; change: Change; dishes: readonly number[]; traceparent: string };
export type Done = { order: Order; replayed: boolean };
/**
 * All that a batch has to know. Who has taken numbers places alone until the transaction ends; what is not read in it is
 * checked by its writes.
 */
export type BatchFacts = {
  stock: Stock;
  /** The numbers as this batch's transaction has left them so far; null where it took none. */
  taken: Counters | null;
  /** Orders that calls with these idempotency keys have placed already. */
  calls: Map<string, PlacedCall>;
  /** The orders that are to be changed. */
  current: Map<number, Order>;
  now: Date;
};
/** What is to be written, and what each is to be told once it is. */
export type BatchDecision = {
  outcomes: Outcome<Done>[];
  placed: NewOrder[];
  changed: OrderWrite[];
  dishes: DishWrite[];
  next: Counters;
};
const noNumbers: Counters = { orderId: 0, itemId: 0, day: '', ticket: 0 };
const noPause: Pause = { until: null, reason: null };
type Sources = { orders: OrderStore; menu: MenuStore; house: HouseStore; houseDay: (at: Date) => string };

export async function readFacts(work: readonly Work[], sources: Sources, session: Session): Promise<BatchFacts> {
  const { orders, menu, house, houseDay } = sources;
  const placements = work.flatMap((each) => (each.kind === 'place' ? [each.placement] : []));
  const changed = work.flatMap((each) => (each.kind === 'change' ? [each.change.id] : []));
  const [{ before, taken, openItems }, dishes, pause, calls, current] = await allSettled([
    takeInSession(placements, sources, session),
    menu.named(dishesOf(work)),
    placements.some(({ by }) => by.role === 'customer') ? house.pause() : Promise.resolve(noPause),
    orders.placedBy(placements.flatMap(({ call }) => call?.key ?? [])),
    orders.some([...new Set(changed)]),
  ]);
  const now = new Date();
  const stock: Stock = {
    dishes: {
      byId: new Map(dishes.map((dish) => [dish.id, dish])),
      byName: new Map(dishes.map((dish) => [nameKey(dish.name), dish])),
    },
    portions: new Map(dishes.map(({ id, portionsLeft }) => [id, portionsLeft])),
    openItems,
    counters: onDay(before, houseDay(now)),
    pause,
  };
  return {
    stock,
    taken,
    now,
    calls: new Map(calls.map((placed) => [placed.call.key, placed])),
    current: new Map(current.map((order) => [order.id, order])),
  };
}

/** Takes numbers for all, as if none were refused, and reads what only those may read who have the numbers. */
async function takeInSession(placements: readonly Placement[], { house, orders }: Sources, session: Session) {
  if (placements.length === 0) return { before: noNumbers, taken: null, openItems: new Map<number, number>() };
  const wanted = { orders: placements.length, items: placements.flatMap(({ lines }) => lines).length };
  const before = await house.takeNumbers(wanted, session);
  const seatings = placements.flatMap(({ place: { seating } }) => seating ?? []);
  const openItems = await orders.openItems([...new Set(seatings)], session);
  return { before, taken: afterTaking(before, wanted), openItems };
}

/** What the placements name, and what the changes give portions back to. */
function dishesOf(work: readonly Work[]): { ids: number[]; nameKeys: string[] } {
  const named = work.flatMap((each): readonly (number | string)[] =>
    each.kind === 'place' ? each.placement.lines.map(({ dish }) => dish) : each.dishes,
  );
  const ids = named.filter((dish) => typeof dish === 'number');
  const nameKeys = named.filter((dish) => typeof dish === 'string').map(nameKey);
  return { ids: [...new Set(ids)], nameKeys: [...new Set(nameKeys)] };
}

/** As `Promise.all`, but fails only when nothing is under way any more: a session does one thing at a time. */
async function allSettled<T extends readonly unknown[]>(all: { [K in keyof T]: Promise<T[K]> }): Promise<T> {
  await Promise.allSettled(all);
  return (await Promise.all(all)) as T;
}

/** Accepts or refuses each on its own, in their order, on what those before it have left. */
export function decide(work: readonly Work[], facts: BatchFacts, currency: string): BatchDecision {
  const placed: NewOrder[] = [];
  const changed: OrderWrite[] = [];
  const outcomes = work.map((each) =>
    each.kind === 'place'
      ? decidePlacement(each.placement, { facts, currency, placed })
      : decideChange(each.change, { facts, changed }),
  );
  const { stock, now } = facts;
  const dishes = dishWrites(stock, { at: now, traceparent: work[0]?.traceparent ?? '' });
  return { outcomes, placed, changed, dishes, next: stock.counters };
}

type Placing = { facts: BatchFacts; currency: string; placed: NewOrder[] };

function decidePlacement(placement: Placement, { facts, currency, placed }: Placing): Outcome<Done> {
  const { stock, calls, now } = facts;
  const { call, by, traceparent } = placement;
  const earlier = call && calls.get(call.key);
  if (earlier)
    return earlier.call.hash === call.hash
      ? { value: { order: asPlaced(earlier.order), replayed: true } }
      : { error: problem('idempotency_key_reused') };
  const order = place(placement, stock, { now, currency });
  if (order instanceof Problem) return { error: order };
  if (call) calls.set(call.key, { call, order });
  placed.push({ order, call, ...recordPlaced(order, { actor: { id: by.id, role: by.role }, traceparent }) });
  return { value: { order, replayed: false } };
}

type Changing = { facts: BatchFacts; changed: OrderWrite[] };

function decideChange(change: Change, { facts, changed }: Changing): Outcome<Done> {
  const { stock, current, now } = facts;
  const before = current.get(change.id);
  const after = before && change.apply(before, now);
  if (!before || !after) return { error: problem('not_found') };
  if (after instanceof Problem) return { error: after };
  if (after !== before) {
    giveBack(stock, portionsReturned(before, after));
    current.set(after.id, after);
    changed.push({ order: after, ...change.record(before, after, change.by) });
  }
  return { value: { order: after, replayed: false } };
}

/** A dish that has become unlimited, or was deleted, needs nothing back. */
function giveBack({ portions }: Stock, returned: ReadonlyMap<number, number>): void {
  for (const [dish, quantity] of returned) {
    const left = portions.get(dish) ?? null;
    if (left !== null) portions.set(dish, left + quantity);
  }
}

/** One write for each dish whose portions this batch has taken or given back. */
function dishWrites({ dishes, portions }: Stock, when: { at: Date; traceparent: string }): DishWrite[] {
  return [...dishes.byId.values()].flatMap((before) => {
    const portionsLeft = portions.get(before.id) ?? null;
    if (portionsLeft === before.portionsLeft) return [];
    const dish: Dish = { ...before, portionsLeft, version: before.version + 1 };
    return [{ dish, message: dishChanged(dish, when) }];
  });
}

export const hasWrites = ({ placed, changed }: BatchDecision): boolean => placed.length > 0 || changed.length > 0;

/** The events that wait with each order, by its id, oldest first. */
export type Outboxes = ReadonlyMap<number, readonly Message[]>;
type Writing = Sources & { taken: Counters | null; session: Session };

/**
 * Writes it all in the session's transaction, which is to be given up where this is null: there was nothing to write, or
 * somebody else wrote first.
 */
export async function writeBatch(
  decision: BatchDecision,
  { orders, menu, house, taken, session }: Writing,
): Promise<Outboxes | null> {
  const { placed, changed, dishes, next } = decision;
  if (!hasWrites(decision)) return null;
  // Some were refused, or it is a new day.
  if (taken && !isDeepStrictEqual(next, taken)) await house.setNumbers(next, session);
  if (!(await menu.setPortions(dishes, session))) return null;
  await orders.insert(placed, session);
  const outboxes = new Map<number, readonly Message[]>(placed.map(({ order, message }) => [order.id, [message]]));
  for (const write of changed) {
    const outbox = await orders.replace(write, session);
    if (!outbox) return null;
    outboxes.set(write.order.id, outbox);
  }
  return outboxes;
}
