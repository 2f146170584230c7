import { activeCallStatuses, callKinds, callMethods, callStatuses, type CallStatus } from '@comanda/contracts/calls';
import { roles } from '@comanda/contracts/endpoint';
import { outboxFields, outboxIndex, type WithOutbox } from '@comanda/shared/messaging/outbox-store';
import type { Message } from '@comanda/shared/messaging/publisher';
import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import { decimal, type Decimal } from '@comanda/shared/mongo/decimal';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Connection } from 'mongoose';
import { absentOr, minor, money } from '../document-fields.ts';
import type { CallActor, TableCall } from './call.ts';

type CallDocument = WithOutbox & {
  _id: number;
  kind: TableCall['kind'];
  note: string | null;
  method: TableCall['method'];
  /** Absent for calls of the whole table. */
  amount?: Decimal;
  table: string | null;
  seating: number;
  status: CallStatus;
  version: number;
  placed_by: CallActor;
  taken_by: CallActor | null;
  created_at: Date;
  taken_at: Date | null;
  done_at: Date | null;
};

/** How long calls are stored, in seconds. Ended seatings are stored for the same time. */
const retentionS = 30 * 24 * 3600;
const actor = {
  type: embeddedSchema<CallActor>({
    id: { type: Number, required: true, min: 1 },
    role: { type: String, required: true, enum: roles },
  }),
};

export const callSchema = collectionSchema<CallDocument>('calls', {
  _id: { type: Number, min: 1 },
  kind: { type: String, required: true, enum: callKinds },
  note: { type: String, maxlength: 100 },
  method: { type: String, enum: callMethods },
  amount: absentOr(decimal),
  table: { type: String, maxlength: 16 },
  seating: { type: Number, required: true, min: 1 },
  status: { type: String, required: true, enum: callStatuses },
  version: { type: Number, required: true, min: 1 },
  placed_by: { ...actor, required: true },
  taken_by: actor,
  created_at: { type: Date, required: true },
  taken_at: { type: Date },
  done_at: { type: Date },
  ...outboxFields,
})
  .index(...outboxIndex)
  .index({ seating: 1, created_at: 1 })
  .index({ status: 1, created_at: 1 })
  .index({ created_at: 1 }, { expireAfterSeconds: retentionS });

const maxListed = 200;
const active = { status: { $in: [...activeCallStatuses] } };

/** A new or changed call to store, with the event that reports it. */
export type CallWrite = { call: TableCall; message: Message };
export type CallStore = ReturnType<typeof createCallStore>;

/** Creates the store for the calls of the last 30 days. */
export function createCallStore(connection: Connection) {
  const calls = collectionOf(connection, callSchema);
  return {
    find: async (id: number): Promise<TableCall | null> => {
      const document = await calls.findOne({ _id: id });
      return document && toCall(document);
    },
    /** Fetches calls with one of `statuses`, oldest first. With `seating`, only that seating's calls. */
    list: async ({ statuses, seating }: { statuses: CallStatus[]; seating?: number }): Promise<TableCall[]> => {
      const filter = { status: { $in: statuses }, ...(seating !== undefined && { seating }) };
      const documents = await calls.find(filter).sort({ created_at: 1, _id: 1 }).limit(maxListed).toArray();
      return documents.map(toCall);
    },
    /** Finds the seating's open and taken calls, oldest first. */
    findActive: async (seating: number, { session }: { session: Session }) => {
      const filter = { seating, ...active };
      const documents = await calls.find(filter, { session }).sort({ created_at: 1, _id: 1 }).toArray();
      return documents.map(toCall);
    },
    /** Finds the times at which the seating's calls were placed after `since`, newest first. */
    findTimes: async (seating: number, { since, session }: { since: Date; session: Session }): Promise<Date[]> => {
      const filter = { seating, created_at: { $gt: since } };
      const options = { session, projection: { created_at: 1 } } as const;
      const documents = await calls.find(filter, options).sort({ created_at: -1 }).toArray();
      return documents.map(({ created_at: createdAt }) => createdAt);
    },
    insert: async ({ call, message }: CallWrite, session: Session): Promise<void> => {
      await calls.insertOne({ _id: call.id, ...toFields(call), outbox: [message] }, { session });
    },
    /**
     * Writes a call with the next version. Returns all events in the call's outbox after the write, oldest first.
     * @throws WriteConflict if another write came first
     */
    update: async ({ call, message }: CallWrite, session?: Session): Promise<readonly Message[]> => {
      const stored = await calls.findOneAndUpdate(
        { _id: call.id, version: call.version - 1 },
        { $set: toFields(call), $push: { outbox: message } },
        { returnDocument: 'after', maxTimeMS: 900, ...(session && { session }) },
      );
      if (!stored) throw new WriteConflict();
      return stored.outbox;
    },
  };
}

const toFields = (call: TableCall): Omit<CallDocument, '_id' | keyof WithOutbox> => ({
  kind: call.kind,
  note: call.note,
  method: call.method,
  ...(call.amountMinor !== null && { amount: money(call.amountMinor) }),
  table: call.table,
  seating: call.seating,
  status: call.status,
  version: call.version,
  placed_by: call.placedBy,
  taken_by: call.takenBy,
  created_at: call.createdAt,
  taken_at: call.takenAt,
  done_at: call.doneAt,
});
const toCall = ({ _id: id, ...document }: CallDocument): TableCall => ({
  id,
  kind: document.kind,
  note: document.note,
  method: document.method,
  amountMinor: document.amount === undefined ? null : minor(document.amount),
  table: document.table,
  seating: document.seating,
  status: document.status,
  version: document.version,
  placedBy: document.placed_by,
  takenBy: document.taken_by,
  createdAt: document.created_at,
  takenAt: document.taken_at,
  doneAt: document.done_at,
});
