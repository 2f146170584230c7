import type { Connection } from 'mongoose';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Pending } from '@comanda/shared/messaging/outbox';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { Versioned } from '@comanda/contracts/checksum';
import { collectionOf } from '@comanda/shared/mongo/collections';
import { newest } from '@comanda/shared/mongo/connection';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import { findSpellings } from '@comanda/shared/mongo/spellings';
import type { Session } from '@comanda/shared/mongo/transactions';
import { pageFilter, pageHint, pageIndexes, type PageQuery } from './order-page-query.ts';
import { carriedEventsOf, shareCarriers } from './carried-events.ts';
import {
  toAddedRequests,
  toCopyFields,
  toCreatedEventField,
  toOrder,
  toPlacedDocument,
  toStateFields,
  orderSchema,
} from './order-document.ts';
import { toChangedItemFields, toDividedItems } from './item-document.ts';
import { openStatuses, type HistoryEntry, type Order, type PlacedRequest } from './order.ts';
import { limitWaiting, writeAll } from '../write-with-outbox.ts';

export type NewOrder = {
  order: Order;
  request: IdempotentRequest | null;
  history: readonly HistoryEntry[];
  message: Message;
};
/** A change to an order, with the history entries and events to store. The order's version grows by 1. */
export type OrderWrite = {
  before: Order;
  order: Order;
  history: readonly HistoryEntry[];
  messages: readonly Message[];
};
/** An order whose items were divided: `rest` is its next version, and `moved` is the new order, a copy with the other items. */
export type DividedOrder = {
  before: Order;
  rest: Omit<OrderWrite, 'before'>;
  moved: Omit<OrderWrite, 'before'> & { request: IdempotentRequest | null };
};
/**
 * A change to one order. `created`: whether its `order.created` event is known to be published. If so, no other order's outbox is
 * searched for the event.
 */
export type OrderUpdate = OrderWrite & { created: 'published' | 'unknown' };
type Insertion = { changedIds: ReadonlySet<number>; session: Session };

const withoutHistory = { history: 0, outbox: 0, outbox_claim: 0 } as const;

/** The maximum number of open orders in a checksum. All of them are read every 3 s. */
const maxOpenVersions = 5000;

export type OrderStore = ReturnType<typeof createOrderStore>;

/** Creates the store for orders. Each write stores an order and its events atomically. */
export function createOrderStore(connection: Connection) {
  const orders = collectionOf(connection, orderSchema);

  /**
   * Adds each order's `order.created` event to the order's first change, if the event is still waiting in another order's outbox.
   * So it is published before the events of the change. If that outbox no longer has it, the broker has already confirmed it.
   */
  async function withCarriedEvents(writes: readonly OrderWrite[]): Promise<readonly OrderWrite[]> {
    const carried = carriedEventsOf(writes.map(({ before }) => before));
    if (carried.length === 0) return writes;
    const ids = carried.map(({ id }) => id);
    const filter = { _id: { $in: carried.map(({ carrierId }) => carrierId) }, 'outbox.id': { $in: ids } };
    const projection = { outbox: { $filter: { input: '$outbox', cond: { $in: ['$$this.id', ids] } } } };
    const found = await orders.find(filter, { projection, ...newest }).toArray();
    const waiting = new Map(found.flatMap(({ outbox }) => outbox.map((message) => [message.id, message] as const)));
    return writes.map((write) => {
      const created = carriedEventsOf([write.before]).flatMap(({ id }) => waiting.get(id) ?? []);
      return { ...write, messages: [...created, ...write.messages] };
    });
  }

  return {
    find: async (id: number): Promise<Order | null> => {
      const stored = await orders.findOne({ _id: id }, { projection: withoutHistory });
      return stored && toOrder(stored);
    },
    /**
     * Finds the newest versions of these orders, which may not be durable yet. A later write must check that the versions are the
     * same.
     */
    findNewest: async (ids: readonly number[]): Promise<Order[]> => {
      if (ids.length === 0) return [];
      const options = { projection: withoutHistory, ...newest };
      return (await orders.find({ _id: { $in: ids } }, options).toArray()).map(toOrder);
    },
    findWithHistory: async (id: number): Promise<{ order: Order; history: readonly HistoryEntry[] } | null> => {
      const stored = await orders.findOne({ _id: id }, { projection: { outbox: 0, outbox_claim: 0 } });
      return stored && { order: toOrder(stored), history: stored.history };
    },
    /** Finds the ids of the bills with this user's orders. */
    findBillIdsOf: async (ownerId: number): Promise<number[]> => {
      const ids = await orders.distinct('bill_id', { usuarioID: ownerId });
      return ids.filter((id) => id !== undefined);
    },
    /** Finds the orders that were placed or moved with these idempotency keys, if they are durable. */
    findByRequestKeys: async (keys: readonly string[]): Promise<PlacedRequest[]> => {
      if (keys.length === 0) return [];
      const anyOf = [{ idempotency_key: { $in: [...keys] } }, { 'move_requests.request_key': { $in: [...keys] } }];
      const stored = await orders.find({ $or: anyOf }, { projection: withoutHistory }).toArray();
      return stored.flatMap((document) => {
        const { idempotency_key: key, request_fingerprint: fingerprint } = document;
        const order = toOrder(document);
        const own = key === undefined || fingerprint === undefined ? [] : [{ key, fingerprint }];
        return [...own, ...order.moveRequests].map((request) => ({ request, order }));
      });
    },
    /** Finds out which of these idempotency keys have placed an order, even one that isn't durable yet. */
    findUsedRequestKeys: async (keys: readonly string[]): Promise<Set<string>> => {
      const options = { projection: { _id: 0, idempotency_key: 1 }, ...newest } as const;
      const stored = await orders.find({ idempotency_key: { $in: keys } }, options).toArray();
      return new Set(stored.flatMap(({ idempotency_key: key }) => key ?? []));
    },
    /** Finds the ids and versions of all open orders in one snapshot. Returns null if there are more than 5,000. */
    findOpenVersions: async (): Promise<Versioned[] | null> => {
      const stored = await orders
        .find(
          { status: { $in: openStatuses } },
          {
            projection: { version: 1 },
            limit: maxOpenVersions + 1,
            hint: pageIndexes.status.name,
            readConcern: { level: 'snapshot' },
          },
        )
        .toArray();
      return stored.length > maxOpenVersions ? null : stored.map(({ _id: id, version }) => ({ id, version }));
    },
    /** Counts the open items at each of these seatings. */
    getOpenItems: async (seatings: readonly number[], session: Session): Promise<Map<number, number>> => {
      if (seatings.length === 0) return new Map();
      const counts = await orders
        .aggregate<{ _id: number; open: number }>(
          [
            { $match: { seating: { $in: seatings }, status: { $in: openStatuses } } },
            { $unwind: '$itens' },
            { $match: { 'itens.status': { $in: openStatuses } } },
            { $group: { _id: '$seating', open: { $sum: 1 } } },
          ],
          { session },
        )
        .toArray();
      return new Map(counts.map(({ _id, open }) => [_id, open]));
    },
    /** Finds these users' open orders. */
    findOpenOf: async (ownerIds: readonly number[], session: Session): Promise<Order[]> => {
      if (ownerIds.length === 0) return [];
      const filter = { usuarioID: { $in: [...ownerIds] }, status: { $in: [...openStatuses] } };
      return (await orders.find(filter, { projection: withoutHistory, session }).toArray()).map(toOrder);
    },
    /** Finds the open orders of these seatings that are on no bill: remakes. */
    findOpenWithoutBill: async (seatings: readonly number[], session: Session): Promise<Order[]> => {
      if (seatings.length === 0) return [];
      const filter = {
        seating: { $in: [...seatings] },
        bill_id: { $exists: false },
        status: { $in: [...openStatuses] },
      };
      return (await orders.find(filter, { projection: withoutHistory, session }).toArray()).map(toOrder);
    },
    /** Finds all spellings of this table's name that are stored in orders. */
    findTableNames: (table: string): Promise<string[]> => findSpellings(orders, table),
    /** Fetches one page, sorted by creation time, then id. All its orders are from one snapshot. */
    listPage: async (query: PageQuery): Promise<Order[]> => {
      const direction = query.newestFirst ? -1 : 1;
      const stored = await orders
        .find(pageFilter(query), {
          projection: withoutHistory,
          sort: { dataHora: direction, _id: direction },
          limit: query.limit,
          // With `majority`, MongoDB could skip an order whose status changes while MongoDB merges two indexes.
          readConcern: { level: 'snapshot' },
          ...pageHint(query),
        })
        .toArray();
      return stored.map(toOrder);
    },
    /**
     * Inserts new orders. Returns the outboxes that contain their events. An order's outbox may contain other orders' events too,
     * unless it is one of `changedIds`, the orders to which this transaction also writes a change.
     */
    insert: async (placed: readonly NewOrder[], { changedIds, session }: Insertion): Promise<Pending[]> => {
      if (placed.length === 0) return [];
      const carriages = shareCarriers(placed, changedIds);
      const documents = carriages.flatMap(({ carrier, others, messages }) => [
        { ...toNewDocument(carrier), outbox: messages },
        ...others.map((each) => ({
          ...toNewDocument(each),
          ...toCreatedEventField({ id: each.message.id, carrierId: carrier.order.id }),
          outbox: [],
        })),
      ]);
      await orders.insertMany(documents, { session });
      return carriages.map(({ carrier, messages }) => ({ documentId: carrier.order.id, messages }));
    },
    /**
     * Writes divided orders. Each new order is a copy of the stored one, so that nothing is lost that a newer release may have
     * stored. Returns each order's outbox. @throws WriteConflict if an order has another version
     */
    divide: async (divided: readonly DividedOrder[], session: Session): Promise<Pending[]> => {
      if (divided.length === 0) return [];
      const versions = divided.map(({ before: { id: _id, version } }) => ({ _id, version }));
      const stored = await orders.find({ $or: versions }, { session }).toArray();
      const writes = await withCarriedEvents(divided.map(({ before, rest }) => ({ before, ...rest })));
      const all = divided.flatMap(({ before, moved }, index) => {
        const [document, rest] = [stored.find(({ _id }) => _id === before.id), writes[index]];
        if (!document || !rest) throw new WriteConflict();
        return [
          {
            id: before.id,
            versionBefore: before.version,
            fields: { ...toStateFields(rest.order), itens: toDividedItems(document.itens, rest.order) },
            history: rest.history,
            messages: rest.messages,
          },
          {
            id: moved.order.id,
            versionBefore: null,
            fields: { ...toCopyFields(document, moved.order), ...toRequestFields(moved.request) },
            history: [...document.history, ...moved.history],
            messages: moved.messages,
          },
        ];
      });
      return writeAll(orders as never, { writes: all }, session);
    },
    /** Writes changed orders. Returns each order's outbox. @throws WriteConflict if an order has another version */
    updateAll: async (changed: readonly OrderWrite[], session: Session): Promise<Pending[]> => {
      const writes = (await withCarriedEvents(changed)).map(({ before, order, history, messages }) => ({
        id: order.id,
        versionBefore: before.version,
        fields: changedFields(before, order),
        history,
        messages,
        added: toAddedRequests(before, order),
      }));
      return writeAll(orders as never, { writes }, session);
    },
    /**
     * Writes a changed order. Returns its whole outbox, oldest event first. If too many events are waiting, removes the oldest,
     * so that the document can't grow without limit.
     * @throws WriteConflict if the order has another version
     */
    update: async ({ created, ...write }: OrderUpdate): Promise<readonly Message[]> => {
      const { before, order, history } = write;
      const writes = created === 'published' ? [write] : await withCarriedEvents([write]);
      const messages = writes.flatMap((each) => each.messages);
      const stored = await orders.findOneAndUpdate(
        { _id: order.id, version: before.version },
        {
          $set: changedFields(before, order),
          $push: { history: { $each: [...history] }, outbox: { $each: [...messages] } },
        },
        { returnDocument: 'after', projection: { outbox: 1 }, maxTimeMS: 900 },
      );
      if (!stored) throw new WriteConflict();
      const { outbox: waiting } = stored;
      return limitWaiting(orders as never, { id: order.id, waiting, added: messages });
    },
  };
}

const toRequestFields = (request: IdempotentRequest | null) =>
  request && { idempotency_key: request.key, request_fingerprint: request.fingerprint };
const toNewDocument = ({ order, request, history }: NewOrder) => ({
  ...toPlacedDocument(order),
  ...toRequestFields(request),
  history: [...history],
});

const changedFields = (before: Order, order: Order): Record<string, unknown> => ({
  ...toStateFields(order),
  ...toChangedItemFields(before, order),
});
