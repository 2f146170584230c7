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
import { toChangedItemFields, toOrder, toPlacedDocument, toStateFields, orderSchema } from './order-document.ts';
import { openStatuses, type HistoryEntry, type Order, type PlacedRequest } from './order.ts';
import { limitWaiting, writeAll } from '../write-with-outbox.ts';

export type NewOrder = {
  order: Order;
  request: IdempotentRequest | null;
  history: readonly HistoryEntry[];
  message: Message;
};
/** A change of an order, whose version grows by 1, with the history and the events of the change. */
export type OrderWrite = {
  before: Order;
  order: Order;
  history: readonly HistoryEntry[];
  messages: readonly Message[];
};

const withoutHistory = { history: 0, outbox: 0, outbox_claim: 0 } as const;

/** All of them are read every 3 s. */
const maxOpenVersions = 5000;

export type OrderStore = ReturnType<typeof createOrderStore>;

/** The orders. Each write stores an order and its events in one atomic operation. */
export function createOrderStore(connection: Connection) {
  const orders = collectionOf(connection, orderSchema);
  return {
    find: async (id: number): Promise<Order | null> => {
      const stored = await orders.findOne({ _id: id }, { projection: withoutHistory });
      return stored && toOrder(stored);
    },
    /** The newest versions, which may not be durable yet: a write must check that they are still the same. */
    findNewest: async (ids: readonly number[]): Promise<Order[]> => {
      if (ids.length === 0) return [];
      const options = { projection: withoutHistory, ...newest };
      return (await orders.find({ _id: { $in: ids } }, options).toArray()).map(toOrder);
    },
    findWithHistory: async (id: number): Promise<{ order: Order; history: readonly HistoryEntry[] } | null> => {
      const stored = await orders.findOne({ _id: id }, { projection: { outbox: 0, outbox_claim: 0 } });
      return stored && { order: toOrder(stored), history: stored.history };
    },
    /** The bills of a user's orders. */
    findBillIdsOf: async (ownerId: number): Promise<number[]> => {
      const ids = await orders.distinct('bill_id', { usuarioID: ownerId });
      return ids.filter((id) => id !== undefined);
    },
    /** The durable orders that were placed with these idempotency keys. */
    findByRequestKeys: async (keys: readonly string[]): Promise<PlacedRequest[]> => {
      if (keys.length === 0) return [];
      const stored = await orders.find({ idempotency_key: { $in: keys } }, { projection: withoutHistory }).toArray();
      return stored.flatMap((document) => {
        const { idempotency_key: key, request_fingerprint: fingerprint } = document;
        if (key === undefined || fingerprint === undefined) return [];
        return [{ request: { key, fingerprint }, order: toOrder(document) }];
      });
    },
    /** Which of these keys have an order, durable or not. */
    findUsedRequestKeys: async (keys: readonly string[]): Promise<Set<string>> => {
      const options = { projection: { _id: 0, idempotency_key: 1 }, ...newest } as const;
      const stored = await orders.find({ idempotency_key: { $in: keys } }, options).toArray();
      return new Set(stored.flatMap(({ idempotency_key: key }) => key ?? []));
    },
    /** Ids and versions of all open orders at one moment; null if there are more than 5,000. */
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
    /** The number of open items at each of these seatings. */
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
    /** The open orders of these owners. */
    findOpenOf: async (ownerIds: readonly number[], session: Session): Promise<Order[]> => {
      if (ownerIds.length === 0) return [];
      const filter = { usuarioID: { $in: [...ownerIds] }, status: { $in: [...openStatuses] } };
      return (await orders.find(filter, { projection: withoutHistory, session }).toArray()).map(toOrder);
    },
    /** The names that read the same as this one, in which orders have this table. */
    findTableNames: (table: string): Promise<string[]> => findSpellings(orders, table),
    /** One page in the order of (created_at, id), as all its orders were at one moment. */
    listPage: async (query: PageQuery): Promise<Order[]> => {
      const direction = query.newestFirst ? -1 : 1;
      const stored = await orders
        .find(pageFilter(query), {
          projection: withoutHistory,
          sort: { dataHora: direction, _id: direction },
          limit: query.limit,
          // With `majority`, an order that changes its status while the server merges its indexes could be skipped.
          readConcern: { level: 'snapshot' },
          ...pageHint(query),
        })
        .toArray();
      return stored.map(toOrder);
    },
    insert: async (placed: readonly NewOrder[], session: Session): Promise<void> => {
      if (placed.length === 0) return;
      await orders.insertMany(
        placed.map(({ order, request, history, message }) => ({
          ...toPlacedDocument(order),
          ...(request && { idempotency_key: request.key, request_fingerprint: request.fingerprint }),
          history: [...history],
          outbox: [message],
        })),
        { session },
      );
    },
    /** Returns the outbox of each order. @throws WriteConflict */
    updateAll: (writes: readonly OrderWrite[], session: Session): Promise<Pending[]> =>
      writeAll(
        orders as never,
        {
          writes: writes.map(({ before, order, history, messages }) => ({
            id: order.id,
            versionBefore: before.version,
            fields: changedFields(before, order),
            history,
            messages,
          })),
        },
        session,
      ),
    /**
     * Returns the whole outbox of the order, oldest event first. If too many events wait, some of them give way: the
     * document must not grow without a limit.
     * @throws WriteConflict
     */
    update: async ({ before, order, history, messages }: OrderWrite): Promise<readonly Message[]> => {
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

const changedFields = (before: Order, order: Order): Record<string, unknown> => ({
  ...toStateFields(order),
  ...toChangedItemFields(before, order),
});
