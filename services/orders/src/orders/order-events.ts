import type { EventData } from '@comanda/contracts/event-data';
import type { EventType } from '@comanda/contracts/events';
import type { OrderStatus } from '@comanda/contracts/order';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { ChangeContext } from '../change-context.ts';
import { newMessage } from '../messages.ts';
import { itemBefore, type OrderChange } from './order-rules.ts';
import { newlyMarked } from './order-stations.ts';
import type { Actor } from '../actor.ts';
import { toEventOrder } from './order-response.ts';
import type { HistoryEntry, Order } from './order.ts';

/** The history entries and the events to store together with a change. */
export type ChangeRecord = { history: HistoryEntry[]; messages: Message[] };

/** Returns the actor for an event. Guests receive events, so an event never contains the actor's name. The history does. */
const withoutName = ({ id, role }: Actor): EventData<'order.status_changed'>['actor'] => ({ id, role });

type MessageContext = { traceparent: string; at?: Date | undefined };
const messageOf =
  (order: Order, { traceparent, at = order.updatedAt }: MessageContext) =>
  <T extends EventType>(type: T, data: EventData<T>): Message =>
    newMessage(type, { subject: String(order.id), at, traceparent, data });

export const recordOrderCreated = (
  order: Order,
  { actor, traceparent }: ChangeContext,
): { history: HistoryEntry[]; message: Message } => ({
  history: [{ at: order.createdAt, actor, what: 'status', from: null, to: 'received', version: 1 }],
  message: messageOf(order, { traceparent })('order.created', { order: toEventOrder(order) }),
});

type Change = { before: Order; after: Order; change: OrderChange; context: ChangeContext };

/** Returns the history entries and events to store together with this change. */
export function recordChange({ before, after, change, context }: Change): ChangeRecord {
  if (change.kind === 'seen') return recordSeen({ before, after, context }, change.device);
  if (change.kind === 'allergies_read') return recordAllergiesRead({ before, after, context });
  return change.kind === 'location'
    ? recordTableChange(before, after, context)
    : recordStatusChange(before, after, context);
}

/**
 * Records the statuses that differ between `before` and `after`: first the order's status, then each item's. There are at most
 * two events, even if many items have changed, because each event contains the whole order.
 */
function recordStatusChange(before: Order, after: Order, context: ChangeContext): ChangeRecord {
  const message = messageOf(after, { traceparent: context.traceparent });
  const { actor, reason } = context;
  const order = toEventOrder(after);
  const actorInEvent = withoutName(actor);
  const reasonIfGiven = reason === undefined ? {} : { reason };
  const entry = { at: after.updatedAt, actor, what: 'status' as const, ...reasonIfGiven, version: after.version };
  const record: ChangeRecord = { history: [], messages: [] };
  const changed_items = changedItems(before, after);
  const { status: from } = before;
  const { status: to } = after;
  if (from !== to) record.history.push({ ...entry, from, to });
  // A combo is cancelled together with its components, even if the order's status stays the same.
  if (from !== to || changed_items.length > 1)
    record.messages.push(
      message('order.status_changed', { order, from, to, changed_items, actor: actorInEvent, ...reasonIfGiven }),
    );
  for (const change of changed_items) record.history.push({ ...entry, ...change });
  const [onlyItem, ...others] = changed_items;
  if (onlyItem && others.length === 0)
    record.messages.push(message('order.item_status_changed', { order, ...onlyItem, actor: actorInEvent }));
  return record;
}

type ItemStatusChange = { item_id: number; from: OrderStatus; to: OrderStatus };

function changedItems(before: Order, after: Order): ItemStatusChange[] {
  return after.items.flatMap((item, index) => {
    const { id, status: to } = item;
    const from = itemBefore(before, item, index)?.status;
    return from === undefined || from === to ? [] : [{ item_id: id, from, to }];
  });
}

/** Records that the order has moved to another table. `from` equals `to` if only the seating changed. */
export function recordTableChange(before: Order, after: Order, { actor, traceparent }: ChangeContext): ChangeRecord {
  const { table: from, seating: fromSeating } = before;
  const { table: to } = after;
  return {
    history: [{ at: after.updatedAt, actor, what: 'table', from, to: to ?? '', version: after.version }],
    messages: [
      messageOf(after, { traceparent })('order.table_changed', {
        order: toEventOrder(after),
        from,
        to,
        from_seating: fromSeating,
        actor: withoutName(actor),
      }),
    ],
  };
}

type Marked = Omit<Change, 'change'>;

/** Records that `device` showed the order at stations that had not shown it before. Adds an event, but no history entry. */
function recordSeen({ before, after, context: { traceparent } }: Marked, device: string): ChangeRecord {
  const { stations, at } = newlyMarked('seenAt', before, after);
  const data = { order: toEventOrder(after), device, stations };
  return { history: [], messages: [messageOf(after, { traceparent, at })('order.seen', data)] };
}

/** Records that stations have read the allergies for the first time. Adds an event, but no history entry. */
function recordAllergiesRead({ before, after, context: { actor, traceparent } }: Marked): ChangeRecord {
  const { stations, at } = newlyMarked('allergiesReadAt', before, after);
  const data = { order: toEventOrder(after), actor: withoutName(actor), stations };
  return { history: [], messages: [messageOf(after, { traceparent, at })('order.allergies_read', data)] };
}
