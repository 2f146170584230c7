import { movementKinds, movementMethods } from '@comanda/contracts/cash-drawers';
import type { Connection } from 'mongoose';
import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import { decimal, type Decimal } from '@comanda/shared/mongo/decimal';
import type { Session } from '@comanda/shared/mongo/transactions';
import {
  absentOr,
  id as documentId,
  money,
  optionalId,
  requestFields,
  signedMinor,
  time,
  toRequest,
  toRequestFields,
  type RequestFields,
} from '../document-fields.ts';
import type { Movement, NewMovement, Person } from './movement.ts';

type MovementDocument = RequestFields & {
  _id: number;
  day: number;
  at: Date;
  kind: Movement['kind'];
  method: Movement['method'];
  confirmed_by: Movement['confirmedBy'];
  cash_drawer: string | null;
  amount: Decimal;
  tip: Decimal;
  bill_id: number | null;
  payment_id: number | null;
  by: Person | null;
  reason: string | null;
  other: string | null;
  reverses: number | null;
  /** Absent unless it belongs to a count. */
  is_of_count?: true;
};
const personFields = embeddedSchema<Person>({ id: documentId, name: { type: String, required: true, maxlength: 255 } });
/** The fields of a staff member. */
export const person = { type: personFields, required: true };
const name = { type: String, maxlength: 32 };
export const movementSchema = collectionSchema<MovementDocument>('movements', {
  _id: documentId,
  day: documentId,
  at: time,
  kind: { type: String, required: true, enum: movementKinds },
  method: { type: String, required: true, enum: movementMethods },
  confirmed_by: { type: String, maxlength: 16 },
  cash_drawer: name,
  amount: { type: decimal, required: true },
  tip: { type: decimal, required: true },
  bill_id: optionalId,
  payment_id: optionalId,
  by: { type: personFields },
  reason: { type: String, maxlength: 200 },
  other: name,
  reverses: optionalId,
  is_of_count: absentOr(Boolean),
  ...requestFields,
})
  .index({ day: 1, _id: 1 }, { name: 'of_day' })
  .index({ cash_drawer: 1, _id: -1 }, { name: 'of_cash_drawer' })
  // Unique indexes: money moves once for a payment and once for its refund, and a movement is reversed once.
  .index(
    { payment_id: 1, kind: 1 },
    { name: 'of_payment', unique: true, partialFilterExpression: { payment_id: { $gt: 0 } } },
  )
  .index({ reverses: 1 }, { name: 'reversed', unique: true, partialFilterExpression: { reverses: { $gt: 0 } } })
  .index(
    { request_key: 1 },
    { name: 'request_keys', unique: true, partialFilterExpression: { request_key: { $exists: true } } },
  );

/** How many rows the driver decodes at once. In that time, other requests wait. */
export const batchSize = 500;

type PageQuery = { cashDrawer: string; after: number; below: number | undefined; limit: number };
export type MovementStore = ReturnType<typeof createMovementStore>;

/** Creates the store for movements. They are added in the transaction that moves the money, and never changed or removed. */
export function createMovementStore(connection: Connection) {
  const movements = collectionOf(connection, movementSchema);
  return {
    /** Adds movements with the ids after `idBefore`. Returns them as stored. */
    insert: async (
      added: readonly NewMovement[],
      { idBefore, day, session }: { idBefore: number; day: number; session: Session },
    ): Promise<Movement[]> => {
      const stored = added.map((each, index) => ({ ...each, id: idBefore + 1 + index, day }));
      if (stored.length > 0) await movements.insertMany(stored.map(toDocument), { session });
      return stored;
    },
    /** Fetches one page of the movements by hand in a cash drawer with ids above `after`, newest first. */
    listByHand: async ({ cashDrawer, after, below = Infinity, limit }: PageQuery): Promise<Movement[]> => {
      const filter = {
        cash_drawer: cashDrawer,
        _id: { $gt: after, ...(below < Infinity && { $lt: below }) },
        kind: { $nin: ['payment', 'refund', 'difference'] as const },
        is_of_count: { $ne: true as const },
      };
      const found = await movements.find(filter as never, { sort: { _id: -1 }, limit }).toArray();
      return found.map(toMovement);
    },
    /** Finds the movements that a request with this idempotency key has entered: the first one, and its pair if it has one. */
    findByRequest: async (key: string): Promise<Movement[]> => {
      const first = await movements.findOne({ request_key: key });
      if (!first) return [];
      const pair = first.other === null ? null : await movements.findOne({ _id: toMovement(first).id + 1 });
      return [first, ...(pair ? [pair] : [])].map(toMovement);
    },
    find: async (id: number, session: Session): Promise<Movement | null> => {
      const found = await movements.findOne({ _id: id }, { session });
      return found && toMovement(found);
    },
    isReversed: async (id: number, session: Session): Promise<boolean> =>
      (await movements.findOne({ reverses: id }, { projection: { _id: 1 }, session })) !== null,
    /**
     * Adds up the amounts and tips, in minor units, that moved in a cash drawer with ids above `after`, up to `upTo`.
     */
    sumOf: async (
      cashDrawer: string,
      { after, upTo, session }: { after: number; upTo: number; session: Session },
    ): Promise<number> => {
      const stages = [
        { $match: { cash_drawer: cashDrawer, _id: { $gt: after, $lte: upTo } } },
        { $group: { _id: null, sum: { $sum: { $add: ['$amount', '$tip'] } } } },
      ];
      const [found] = await movements.aggregate<{ sum: Decimal }>(stages, { session }).toArray();
      return found ? signedMinor(found.sum) : 0;
    },
    /** Finds the id of the newest movement in each cash drawer, by name. */
    findNewestIds: async (session?: Session): Promise<Map<string, number>> => {
      const stages = [
        { $match: { cash_drawer: { $gte: '' } } },
        { $sort: { cash_drawer: 1, _id: -1 } },
        { $group: { _id: '$cash_drawer', newest: { $first: '$_id' } } },
      ];
      const found = await movements
        .aggregate<{ _id: string; newest: number }>(stages, { ...(session && { session }) })
        .toArray();
      return new Map(found.map(({ _id, newest }) => [_id, newest]));
    },
    /** Finds which of these payments have a movement, and which have one of their refund. */
    findOfPayments: async (
      paymentIds: readonly number[],
      session: Session,
    ): Promise<Record<'payment' | 'refund', Set<number>>> => {
      const entered = { payment: new Set<number>(), refund: new Set<number>() };
      if (paymentIds.length === 0) return entered;
      const filter = { payment_id: { $in: [...paymentIds] }, kind: { $in: ['payment', 'refund'] as const } };
      const found = movements.find(filter as never, { projection: { payment_id: 1, kind: 1 }, session });
      for (const { kind, payment_id: id } of await found.toArray())
        if (id !== null) entered[kind === 'refund' ? 'refund' : 'payment'].add(id);
      return entered;
    },
    /** Finds the times of the newest `atMost` payments of a day. */
    findPaymentTimes: async (day: number, { atMost }: { atMost: number }): Promise<Date[]> => {
      const options = { projection: { at: 1 }, sort: { _id: -1 }, limit: atMost } as const;
      return (await movements.find({ day, kind: 'payment' }, options).toArray()).map(({ at }) => at);
    },
    /** Reads the newest `atMost` movements of a day, newest first. */
    readNewest: (day: number, { atMost }: { atMost: number }) =>
      movements.find({ day }, { sort: { _id: -1 }, limit: atMost, batchSize }).map(toMovement),
    /** Fetches one page of the movements of these days, newest first. */
    listOfDays: async (
      days: readonly number[],
      { below = Infinity, limit }: { below: number | undefined; limit: number },
    ) => {
      const filter = { day: { $in: [...days] }, ...(below < Infinity && { _id: { $lt: below } }) };
      return (await movements.find(filter, { sort: { _id: -1 }, limit }).toArray()).map(toMovement);
    },
    /** Reads the movements of these days with ids above `after`, up to `upTo`, sorted by id. */
    read: ({ days, after, upTo }: { days: readonly number[]; after: number; upTo: number }, session?: Session) =>
      movements
        .find(
          { day: { $in: [...days] }, _id: { $gt: after, $lte: upTo } },
          { sort: { _id: 1 }, batchSize, ...(session && { session }) },
        )
        .map(toMovement),
  };
}

const toDocument = (movement: Movement): MovementDocument => ({
  _id: movement.id,
  day: movement.day,
  at: movement.at,
  kind: movement.kind,
  method: movement.method,
  confirmed_by: movement.confirmedBy,
  cash_drawer: movement.cashDrawer,
  amount: money(movement.amountMinor),
  tip: money(movement.tipMinor),
  bill_id: movement.billId,
  payment_id: movement.paymentId,
  by: movement.by,
  reason: movement.reason,
  other: movement.other,
  reverses: movement.reverses,
  ...(movement.isOfCount && { is_of_count: true }),
  ...toRequestFields(movement.request),
});
const toMovement = ({ _id: id, ...stored }: MovementDocument): Movement => ({
  id,
  day: stored.day,
  at: stored.at,
  kind: stored.kind,
  method: stored.method,
  confirmedBy: stored.confirmed_by,
  cashDrawer: stored.cash_drawer,
  amountMinor: signedMinor(stored.amount),
  tipMinor: signedMinor(stored.tip),
  billId: stored.bill_id,
  paymentId: stored.payment_id,
  by: stored.by,
  reason: stored.reason,
  other: stored.other,
  reverses: stored.reverses,
  isOfCount: stored.is_of_count ?? false,
  request: toRequest(stored),
});
