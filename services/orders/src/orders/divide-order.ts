import { problem, type Problem } from '@comanda/contracts/problem';
import { statusOf } from '@comanda/contracts/transitions';
import { nextVersion } from './order-rules.ts';
import type { Order, OrderItem, OrderLocation } from './order.ts';

/** An item to move; all its units if `quantity` is undefined. */
export type ItemToMove = { id: number; quantity?: number | undefined };

/** Rejects with 422 unless these are active items of the order with at least so many units. */
export function refuseItemsToMove({ items }: Order, asked: readonly ItemToMove[]): Problem | null {
  const errors = asked.flatMap(({ id, quantity = 1 }, index) => {
    const item = items.find((each) => each.id === id);
    const error = (field: string, detail: string) => [{ pointer: `/items/${index}/${field}`, detail }];
    if (!item) return error('id', 'must be an item of this order');
    if (item.status === 'cancelled') return error('id', 'must not be cancelled');
    if (item.partOf !== null) return error('id', 'must not be a component: move its combo');
    return quantity > item.quantity ? error('quantity', `must be at most ${item.quantity}`) : [];
  });
  return errors.length > 0 ? problem('unprocessable_content', { errors }) : null;
}

/** An order in two: `rest` stays, and `moved` is the new order. `lineIds`: the lines of the bill from which units moved. */
export type Division = { rest: Order; moved: Order; lineIds: readonly number[] };
type Numbers = { orderId: number; itemId: number };

/**
 * Divides an order into the rest and a new order with the items to move. Each part of an item gets an id after `numbers.itemId`.
 * Returns null if only cancelled items, and components of cancelled combos, would stay.
 */
export function divideOrder(
  order: Order,
  { items: asked, to, numbers, now }: { items: readonly ItemToMove[]; to: OrderLocation; numbers: Numbers; now: Date },
): Division | null {
  const [rest, moved]: [OrderItem[], OrderItem[]] = [[], []];
  let { itemId } = numbers;
  for (const item of order.items) {
    // Components move with their combo.
    const taken = asked.find(({ id }) => id === (item.partOf ?? item.id));
    const quantity = taken ? (item.partOf === null && taken.quantity) || item.quantity : 0;
    if (quantity === item.quantity) moved.push(item);
    else if (quantity === 0) rest.push(item);
    else {
      rest.push({ ...item, quantity: item.quantity - quantity });
      moved.push({ ...item, id: ++itemId, quantity, splitFrom: item.id });
    }
  }
  const cancelled = new Set(rest.flatMap(({ id, status }) => (status === 'cancelled' ? id : [])));
  if (rest.every(({ id, partOf }) => cancelled.has(partOf ?? id))) return null;
  const next = nextVersion(order, now);
  const created = { id: numbers.orderId + 1, splitFrom: order.id, carriedEvent: null, moveRequests: [] };
  return {
    rest: withItems(next, rest),
    moved: withItems({ ...next, ...to, ...created }, moved),
    lineIds: asked.map(({ id }) => id),
  };
}

/** Returns the order with these items. If all are delivered, it was delivered when the last of them was. */
function withItems(order: Order, items: readonly OrderItem[]): Order {
  const status = statusOf(items);
  const last = new Date(Math.max(...items.map(({ deliveredAt }) => deliveredAt?.getTime() ?? 0)));
  return { ...order, items, status, deliveredAt: status === 'delivered' ? (order.deliveredAt ?? last) : null };
}
