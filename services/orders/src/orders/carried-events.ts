import type { Message } from '@comanda/shared/messaging/publisher';
import type { CarriedEvent, Order } from './order.ts';

/**
 * Limits for one carrier, which is an order whose outbox stores the events of other new orders. `events`: the maximum number of
 * events, including its own. `bytes`: their maximum size, computed as if all were as large as the largest. With more events,
 * release 1.0.0 could drop the carrier's newest event while the broker is down: above 100 events or 4 MB, it drops events other
 * than `order.created`.
 */
const maxCarried = { events: 64, bytes: 256 * 1024 };

type Placed = { order: Pick<Order, 'id'>; message: Message };
/** A group of new orders. The outbox of `carrier` stores the `order.created` events of all of them: `messages`. */
export type Carriage<P extends Placed> = { carrier: P; others: P[]; messages: Message[] };

/**
 * Divides a batch's new orders into as few groups as possible. The outbox of a group's first order stores the `order.created`
 * events of all its orders. So MongoDB changes only one document per group after the events are published. An order that the same
 * batch has also changed (`changedIds`) stores its own event, in front of the events of its changes.
 */
export function shareCarriers<P extends Placed>(placed: readonly P[], changedIds: ReadonlySet<number>): Carriage<P>[] {
  const carriages: (Carriage<P> & { largest: number })[] = [];
  const changed = placed.filter(({ order }) => changedIds.has(order.id));
  for (const each of placed.filter(({ order }) => !changedIds.has(order.id))) {
    const bytes = Buffer.byteLength(each.message.body);
    const last = carriages.at(-1);
    const count = 1 + (last?.messages.length ?? 0);
    const largest = Math.max(bytes, last?.largest ?? 0);
    if (last && count <= maxCarried.events && count * largest <= maxCarried.bytes) {
      last.others.push(each);
      last.messages.push(each.message);
      last.largest = largest;
    } else carriages.push({ carrier: each, others: [], messages: [each.message], largest: bytes });
  }
  return [...carriages, ...changed.map((each) => ({ carrier: each, others: [], messages: [each.message] }))];
}

type Before = Pick<Order, 'version' | 'carriedEvent'>;

/**
 * Returns the `order.created` events of these orders that may still be waiting in another order's outbox. When an order changes
 * for the first time, its waiting event is moved to its own outbox, so only unchanged orders have such events.
 */
export const carriedEventsOf = (orders: readonly Before[]): CarriedEvent[] =>
  orders.flatMap(({ version, carriedEvent }) => (version === 1 && carriedEvent ? [carriedEvent] : []));
