import type { Message } from '@comanda/shared/messaging/publisher';
import type { CarriedEvent, Order } from './order.ts';

/**
 * The most new events that one order carries, its own included, and their size in bytes if each were as large as the largest. With
 * more of them, release 1.0.0 would drop the newest event of a carrier that it changes while the broker is down: it drops as many
 * others as there are events above 100 or 4 MB.
 */
const maxCarried = { events: 64, bytes: 256 * 1024 };

type Placed = { order: Pick<Order, 'id'>; message: Message };
/** New orders, of which `carrier` carries the events of all. */
export type Carriage<P extends Placed> = { carrier: P; others: P[]; messages: Message[] };

/**
 * Divides a batch's new orders into as few groups as possible. The first order of a group carries the `order.created` of all in its
 * outbox: after publishing, MongoDB then changes one document instead of each.
 */
export function shareCarriers<P extends Placed>(placed: readonly P[]): Carriage<P>[] {
  const carriages: (Carriage<P> & { largest: number })[] = [];
  for (const each of placed) {
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
  return carriages;
}

type Before = Pick<Order, 'version' | 'carriedEvent'>;

/**
 * Returns the events of these orders that another order may still carry. Each event that was not yet published when its order first
 * changed is in the order's own outbox since then.
 */
export const carriedEventsOf = (orders: readonly Before[]): CarriedEvent[] =>
  orders.flatMap(({ version, carriedEvent }) => (version === 1 && carriedEvent ? [carriedEvent] : []));
