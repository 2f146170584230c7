import type { EventData, EventType } from '@comanda/contracts/events';
import type { Message } from '@comanda/shared/messaging/publisher';
import { newMessage } from '../messages.ts';
import { toEventOrder } from './order.ts';
import type { Actor, HistoryEntry, Order } from './order.ts';

/** Who did it, in which request, and why. */
export type By = { actor: Actor; traceparent: string; reason?: string | undefined };

const messageOf =
  (order: Order, { traceparent, at = order.updatedAt }: Pick<By, 'traceparent'> & { at?: Date }) =>
  <T extends EventType>(type: T, data: EventData<T>): Message =>
    newMessage(type, { subject: String(order.id), at, traceparent, data });

export const recordPlaced = (order: Order, by: By): { history: HistoryEntry[]; message: Message } => ({
  history: [{ at: order.createdAt, actor: by.actor, what: 'status', from: null, to: 'received', version: 1 }],
  message: messageOf(order, by)('order.created', { order: toEventOrder(order) }),
});

type Recorded = { history: HistoryEntry[]; messages: Message[] };

/** What moved between `before` and `after`: the order first, then each item. One write: all carry the same order. */
export function recordMoves(before: Order, after: Order, by: By): Recorded {
  const message = messageOf(after, by);
  const { actor, reason } = by;
  const order = toEventOrder(after);
  const why = reason === undefined ? {} : { reason };
  const entry = { at: after.updatedAt, actor, what: 'status' as const, ...why, version: after.version };
  const recorded: Recorded = { history: [], messages: [] };
  if (before.status !== after.status) {
    const { status: from } = before;
    const { status: to } = after;
    recorded.history.push({ ...entry, from, to });
    recorded.messages.push(message('order.status_changed', { order, from, to, actor, ...why }));
  }
  for (const [index, item] of after.items.entries()) {
    const from = before.items[index]?.status;
    if (from === undefined || from === item.status) continue;
    recorded.history.push({ ...entry, from, to: item.status, item_id: item.id });
    recorded.messages.push(
      message('order.item_status_changed', { order, item_id: item.id, from, to: item.status, actor }),
    );
  }
  return recorded;
}

/** That the order is at another table; where only its seating is another, `from` and `to` are the same. */
export function recordPlace(before: Order, after: Order, by: By): Recorded {
  const { actor } = by;
  const { table: from } = before;
  const to = after.table ?? '';
  return {
    history: [{ at: after.updatedAt, actor, what: 'table', from, to, version: after.version }],
    messages: [messageOf(after, by)('order.table_changed', { order: toEventOrder(after), from, to, actor })],
  };
}

/** That the order was seen on `device`: an event, and no part of its history. */
export const recordSeen =
  (device: string) =>
  (_before: Order, after: Order, { traceparent }: By): Recorded => ({
    history: [],
    messages: [
      messageOf(after, { traceparent, ...(after.seenAt && { at: after.seenAt }) })('order.seen', {
        order: toEventOrder(after),
        device,
      }),
    ],
  });
