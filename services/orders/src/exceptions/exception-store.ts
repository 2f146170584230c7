import { exceptionKinds, type ExceptionKind } from '@comanda/contracts/exceptions';
import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import { decimal, type Decimal } from '@comanda/shared/mongo/decimal';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Connection } from 'mongoose';
import { batchSize } from '../cash-drawers/movement-store.ts';
import { id as documentId, minor, money, optionalId, time } from '../document-fields.ts';
import type { Exception, NewException } from './exception.ts';

type ExceptionDocument = {
  _id: number;
  /** The number of its day; null if it was stored before days were numbered. */
  day: number | null;
  at: Date;
  kind: ExceptionKind;
  bill_id: number | null;
  line_id: number | null;
  name: string | null;
  amount: Decimal;
  by: { id: number; name: string } | null;
  reason: string | null;
};
export const exceptionSchema = collectionSchema<ExceptionDocument>('exceptions', {
  _id: documentId,
  day: optionalId,
  at: time,
  kind: { type: String, required: true, enum: exceptionKinds },
  bill_id: optionalId,
  line_id: optionalId,
  name: { type: String, maxlength: 255 },
  amount: { type: decimal, required: true },
  by: {
    type: embeddedSchema<{ id: number; name: string }>({
      id: documentId,
      name: { type: String, required: true, maxlength: 255 },
    }),
  },
  reason: { type: String, maxlength: 200 },
})
  .index({ at: 1 }, { name: 'since' })
  .index({ day: 1, _id: 1 }, { name: 'of_day' })
  .index({ kind: 1, _id: -1 }, { name: 'page_by_kind' })
  .index({ 'by.id': 1, _id: -1 }, { name: 'page_by_person' });

export type ExceptionPageQuery = {
  kind: ExceptionKind | undefined;
  /** Only exceptions by the user with this id; undefined for all users. */
  by: number | undefined;
  since: Date | undefined;
  /** Only exceptions with a smaller id; undefined for the first page. */
  below: number | undefined;
  limit: number;
};
export type ExceptionStore = ReturnType<typeof createExceptionStore>;

/** Creates the store for exceptions, such as cancelled dishes, discounts and refunds. Exceptions are never changed or removed. */
export function createExceptionStore(connection: Connection) {
  const exceptions = collectionOf(connection, exceptionSchema);
  return {
    /** Adds exceptions with the ids after `idBefore`, in the same transaction as the change that caused them. */
    insert: async (
      added: readonly NewException[],
      { idBefore, day, session }: { idBefore: number; day: number; session: Session },
    ): Promise<void> => {
      if (added.length === 0) return;
      const documents = added.map((each, index) => toDocument({ id: idBefore + 1 + index, day, ...each }));
      await exceptions.insertMany(documents, { session });
    },
    /** Fetches one page of the exceptions of these days, newest first. */
    listOfDays: async (
      days: readonly number[],
      { below = Infinity, limit }: { below: number | undefined; limit: number },
    ) => {
      const filter = { day: { $in: [...days] }, ...(below < Infinity && { _id: { $lt: below } }) };
      return (await exceptions.find(filter, { sort: { _id: -1 }, limit }).toArray()).map(toStored);
    },
    /** Reads the newest `atMost` exceptions of a day, newest first. */
    readNewest: (day: number, { atMost }: { atMost: number }) =>
      exceptions.find({ day }, { sort: { _id: -1 }, limit: atMost, batchSize }).map(toStored),
    /** Reads the exceptions of these days with ids above `after`, up to `upTo`, sorted by id. */
    read: ({ days, after, upTo }: { days: readonly number[]; after: number; upTo: number }, session?: Session) =>
      exceptions
        .find(
          { day: { $in: [...days] }, _id: { $gt: after, $lte: upTo } },
          { sort: { _id: 1 }, batchSize, ...(session && { session }) },
        )
        .map(toStored),
    /** Fetches one page of exceptions, newest first. */
    listPage: async ({ kind, by, since, below, limit }: ExceptionPageQuery): Promise<Exception[]> => {
      const filter = {
        ...(kind !== undefined && { kind }),
        ...(by !== undefined && { 'by.id': by }),
        ...(since !== undefined && { at: { $gte: since } }),
        ...(below !== undefined && { _id: { $lt: below } }),
      };
      return (await exceptions.find(filter, { sort: { _id: -1 }, limit }).toArray()).map(toStored);
    },
  };
}

const toDocument = (exception: Exception): ExceptionDocument => ({
  _id: exception.id,
  day: exception.day,
  at: exception.at,
  kind: exception.kind,
  bill_id: exception.billId,
  line_id: exception.lineId,
  name: exception.name,
  amount: money(exception.amountMinor),
  by: exception.by,
  reason: exception.reason,
});
const toStored = ({ _id: id, ...document }: ExceptionDocument): Exception => ({
  id,
  day: document.day,
  at: document.at,
  kind: document.kind,
  billId: document.bill_id,
  lineId: document.line_id,
  name: document.name,
  amountMinor: minor(document.amount),
  by: document.by,
  reason: document.reason,
});
