import { exceptionKinds, type ExceptionKind } from '@comanda/contracts/exceptions';
import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import { decimal, type Decimal } from '@comanda/shared/mongo/decimal';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Connection } from 'mongoose';
import { id as documentId, minor, money, optionalId, time } from '../document-fields.ts';
import type { Exception, NewException } from './exception.ts';

type ExceptionDocument = {
  _id: number;
  /** The business day; always null, because days can't be closed yet. */
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
      { idBefore, session }: { idBefore: number; session: Session },
    ): Promise<void> => {
      if (added.length === 0) return;
      const documents = added.map((each, index) => toDocument({ id: idBefore + 1 + index, ...each }));
      await exceptions.insertMany(documents, { session });
    },
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
  day: null,
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
  at: document.at,
  kind: document.kind,
  billId: document.bill_id,
  lineId: document.line_id,
  name: document.name,
  amountMinor: minor(document.amount),
  by: document.by,
  reason: document.reason,
});
