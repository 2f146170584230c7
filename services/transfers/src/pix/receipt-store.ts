import type { Connection } from 'mongoose';
import type { PixReceiptState } from '@comanda/contracts/pix';
import { messagesOf } from '@comanda/shared/messaging/new-message';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import type { Message } from '@comanda/shared/messaging/publisher';
import { collectionOf } from '@comanda/shared/mongo/collections';
import { isDuplicate } from '@comanda/shared/mongo/transactions';
import type { Clock } from '@comanda/shared/runtime/clock';
import { newTraceparent } from '@comanda/shared/tracing/trace-context';
import { toReceiptResponse, type PixReceipt } from './pix-receipt.ts';
import { pixReceiptSchema, toReceipt, toReceiptFields } from './receipt-document.ts';

const newMessage = messagesOf('/transfers');
const durable = { writeConcern: { w: 'majority' } } as const;
const withoutOutbox = { outbox: 0, outbox_claim: 0 } as const;
/** The newest events that a receipt keeps while the broker is down. Each has the whole receipt. */
const maxWaiting = 20;

export type ReceiptPageQuery = {
  /** Empty for all states. */
  states: readonly PixReceiptState[];
  /** The last receipt of the page before; null for the first page. */
  after: { receivedAt: Date; endToEndId: string } | null;
  limit: number;
};
export type ReceiptStore = ReturnType<typeof createReceiptStore>;
type Options = { publishNow: Outbox['publishNow']; clock: Clock };

/**
 * Creates the store for the Pix that the bank has received. Each is stored once. A change names the version that it read, and
 * stores its event in the same write.
 */
export function createReceiptStore(connection: Connection, { publishNow, clock }: Options) {
  const receipts = collectionOf(connection, pixReceiptSchema);

  function eventOf(receipt: PixReceipt): Message {
    const { note: _note, ...shown } = toReceiptResponse(receipt);
    const at = new Date(clock());
    const facts = { subject: receipt.endToEndId, at, traceparent: newTraceparent() };
    return newMessage('pix.receipt_changed', { ...facts, data: { receipt: shown } });
  }

  /**
   * Changes fields of the receipt that was read. Returns the changed receipt; null if it has changed since, so that the caller
   * must read it again.
   */
  async function change(receipt: PixReceipt, fields: Partial<PixReceipt>): Promise<PixReceipt | null> {
    const changed = { ...receipt, ...fields, version: receipt.version + 1 };
    const { _id: id, ...set } = toReceiptFields(changed);
    const gone = Object.keys(toReceiptFields(receipt)).filter((name) => name !== '_id' && !(name in set));
    const event = eventOf(changed);
    const written = await receipts.findOneAndUpdate(
      { _id: id, version: receipt.version },
      {
        $set: set,
        ...(gone.length > 0 && { $unset: Object.fromEntries(gone.map((name) => [name, ''])) }),
        $push: { outbox: { $each: [event], $slice: -maxWaiting } },
      } as never,
      { ...durable, returnDocument: 'after', projection: { outbox: 1 } },
    );
    if (!written) return null;
    publishNow(id, written.outbox);
    return changed;
  }

  return {
    change,
    find: async (endToEndId: string): Promise<PixReceipt | null> => {
      const found = await receipts.findOne({ _id: endToEndId }, { projection: withoutOutbox });
      return found && toReceipt(found);
    },
    findAll: async (ids: readonly string[]): Promise<Map<string, PixReceipt>> => {
      const found = await receipts.find({ _id: { $in: [...ids] } }, { projection: withoutOutbox }).toArray();
      return new Map(found.map(toReceipt).map((receipt) => [receipt.endToEndId, receipt]));
    },
    /** Finds the receipts with a refund that was requested with this idempotency key, by any user. */
    findByRefundKey: async (key: string): Promise<PixReceipt[]> => {
      const found = await receipts.find({ 'refunds.request_key': key }, { projection: withoutOutbox }).toArray();
      return found.map(toReceipt);
    },
    /** Stores a receipt. Returns false if it is already stored. */
    insert: async (receipt: PixReceipt): Promise<boolean> => {
      const event = eventOf(receipt);
      try {
        await receipts.insertOne({ ...toReceiptFields(receipt), outbox: [event] }, durable);
      } catch (error) {
        if (isDuplicate(error)) return false;
        throw error;
      }
      publishNow(receipt.endToEndId, [event]);
      return true;
    },
    /** Lets the sweep look at the receipt later. This is no change that anyone is told of. */
    postpone: async ({ endToEndId, version }: PixReceipt, nextAt: Date): Promise<void> => {
      await receipts.updateOne({ _id: endToEndId, version }, { $set: { next_at: nextAt } });
    },
    findDue: async (now: Date, limit: number): Promise<PixReceipt[]> => {
      const options = { projection: withoutOutbox, sort: { next_at: 1 }, limit } as const;
      return (await receipts.find({ next_at: { $lte: now } }, options).toArray()).map(toReceipt);
    },
    /** Fetches one page, newest first. */
    listPage: async ({ states, after, limit }: ReceiptPageQuery): Promise<PixReceipt[]> => {
      const filter = {
        ...(states.length > 0 && { state: { $in: [...states] } }),
        ...(after && {
          $or: [
            { received_at: { $lt: after.receivedAt } },
            { received_at: after.receivedAt, _id: { $lt: after.endToEndId } },
          ],
        }),
      };
      const options = { projection: withoutOutbox, sort: { received_at: -1, _id: -1 }, limit } as const;
      return (await receipts.find(filter, options).toArray()).map(toReceipt);
    },
    /** Counts the receipts in each of these states, for metrics. */
    countByState: async (states: readonly PixReceiptState[]): Promise<Map<PixReceiptState, number>> => {
      const found = await receipts
        .aggregate<{ _id: PixReceiptState; count: number }>([
          { $match: { state: { $in: [...states] } } },
          { $group: { _id: '$state', count: { $sum: 1 } } },
        ])
        .toArray();
      return new Map(found.map(({ _id, count }) => [_id, count]));
    },
  };
}

/**
 * After a restore of orders: what was settled since `since` is checked again, and refunds are told again. Returns how many.
 */
export async function tellPixAgain(
  connection: Connection,
  { since, now }: { since: Date; now: Date },
): Promise<{ settled: number; refunds: number }> {
  const receipts = collectionOf(connection, pixReceiptSchema);
  const refunds = await receipts.updateMany(
    { state: { $in: ['refunding', 'refunded'] }, 'refunds.at': { $gte: since } },
    { $set: { next_at: now, tells_again: true }, $inc: { version: 1 } },
  );
  const settled = await receipts.updateMany(
    { state: 'settled', received_at: { $gte: since } },
    { $set: { next_at: now, state: 'settling' }, $inc: { version: 1 } },
  );
  return { settled: settled.modifiedCount, refunds: refunds.modifiedCount };
}
