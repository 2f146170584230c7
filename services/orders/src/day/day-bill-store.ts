import type { Connection } from 'mongoose';
import { collectionOf } from '@comanda/shared/mongo/collections';
import type { Decimal } from '@comanda/shared/mongo/decimal';
import type { Session } from '@comanda/shared/mongo/transactions';
import { billSchema, salesIndex, toClosingFields } from '../bills/bill-document.ts';
import type { Bill, Closing, Payment } from '../bills/bill.ts';
import { toPayment, type PaymentDocument } from '../bills/payment-document.ts';
import { orderSchema } from '../orders/order-document.ts';
import { minor, signedMinor } from '../document-fields.ts';
import type { DayMarks } from './running-day.ts';

/** A payment with the id of its bill. */
export type PaymentOfBill = { billId: number; payment: Payment };
/** The id of a payment, with the id of its bill. */
export type PaymentRef = { billId: number; paymentId: number };
export type Moved = { payments: readonly PaymentRef[]; refunds: readonly PaymentRef[] };
/** The number of bills closed in a day and their sums, in minor units. */
export type Sales = { count: number } & Omit<Closing, 'day' | 'by'>;

const settled = ['paid', 'refunding', 'refunded'];
/** A payment with one of these can still become paid: a Pix may come after its reservation has ended. */
const unpaid: Payment['status'][] = ['reserved', 'claimed', 'cancelled', 'expired', 'failed'];
const kept = ['paid', 'refunding'] as const;
/** Earlier writers of a refund may have had a clock that was behind by up to this time, in milliseconds. */
export const refundsMarginMs = 3600_000;

export type DayBillStore = ReturnType<typeof createDayBillStore>;

/** Creates the store that reads bills for counts, closings and reports. */
export function createDayBillStore(connection: Connection) {
  const bills = collectionOf(connection, billSchema);
  const orders = collectionOf(connection, orderSchema);
  const withPayments = { projection: { payments: 1 } } as const;
  const paymentsOf = (
    found: readonly { _id: number; payments: PaymentDocument[] }[],
    isWanted: (payment: Payment) => boolean,
  ): PaymentOfBill[] =>
    found.flatMap(({ _id: billId, payments }) =>
      payments.map(toPayment).flatMap((payment) => (isWanted(payment) ? [{ billId, payment }] : [])),
    );
  return {
    /** Finds the payments after the marks that money moved for, and those refunded since the marks. */
    findMoved: async (marks: DayMarks, session: Session): Promise<Moved> => {
      const { paymentId, inFlight: ids } = marks;
      const since = new Date(marks.refundsSince.getTime() - refundsMarginMs);
      const { id, status, refundedAt } = {
        id: '$payments.id',
        status: '$payments.status',
        refundedAt: '$payments.refunded_at',
      };
      const isAfter = { $or: [{ $gt: [id, paymentId] }, { $in: [id, [...ids]] }] };
      // There may be thousands. Only their ids are read, so that other requests to this instance don't wait.
      const stages = [
        {
          $match: {
            $or: [
              { 'payments.id': { $gt: paymentId } },
              { 'payments.id': { $in: [...ids] } },
              { 'payments.refunded_at': { $gte: since } },
            ],
          },
        },
        { $project: { 'payments.id': 1, 'payments.status': 1, 'payments.refunded_at': 1 } },
        { $unwind: '$payments' },
        {
          $project: {
            _id: 0,
            billId: '$_id',
            paymentId: id,
            isPaid: { $and: [isAfter, { $in: [status, settled] }] },
            isRefunded: { $and: [{ $eq: [status, 'refunded'] }, { $gte: [refundedAt, since] }] },
          },
        },
        { $match: { $or: [{ isPaid: true }, { isRefunded: true }] } },
      ];
      type Found = PaymentRef & { isPaid: boolean; isRefunded: boolean };
      const found = await bills.aggregate<Found>(stages, { session }).toArray();
      const before = new Set(marks.refundedBefore);
      const refs = (some: readonly Found[]): PaymentRef[] =>
        some.map((each) => ({ billId: each.billId, paymentId: each.paymentId }));
      return {
        payments: refs(found.filter(({ isPaid }) => isPaid)),
        refunds: refs(found.filter((each) => each.isRefunded && !before.has(each.paymentId))),
      };
    },
    /** Finds these payments, sorted by id. */
    findPayments: async (refs: readonly PaymentRef[], session: Session): Promise<PaymentOfBill[]> => {
      if (refs.length === 0) return [];
      const filter = { _id: { $in: [...new Set(refs.map(({ billId }) => billId))] } };
      const found = await bills.find(filter, { ...withPayments, session }).toArray();
      const wanted = new Set(refs.map(({ paymentId }) => paymentId));
      const payments = paymentsOf(found, ({ id }) => wanted.has(id));
      return payments.toSorted((first, other) => first.payment.id - other.payment.id);
    },
    /** Finds the ids of the payments refunded since this time. */
    findRefundedIds: async (since: Date, session: Session): Promise<number[]> => {
      const found = await bills
        .find({ 'payments.refunded_at': { $gte: since } }, { ...withPayments, session })
        .toArray();
      const isRefunded = ({ refundedAt }: Payment): boolean => refundedAt !== null && refundedAt >= since;
      return paymentsOf(found, isRefunded).map(({ payment }) => payment.id);
    },
    /** Finds the ids of payments that no money has moved for yet. On a bill that isn't open, none will. */
    findInFlight: async (session: Session): Promise<number[]> => {
      const filter = { status: 'open' as const, 'payments.status': { $in: unpaid } };
      const found = await bills.find(filter, { ...withPayments, session }).toArray();
      return paymentsOf(found, ({ status }) => unpaid.includes(status)).map(({ payment }) => payment.id);
    },
    /** Finds the ids of open bills that have a number, because they were closed before. */
    findOpenNumbered: async (session: Session): Promise<number[]> => {
      const filter = { status: 'open', number: { $gt: 0 } } as const;
      const found = await bills.find(filter, { projection: { _id: 1 }, session }).toArray();
      return found.map(({ _id }) => _id);
    },
    /** Finds the ids of bills after the marks that are closed without their day, because an earlier release closed them. */
    findWithoutDay: async ({ billNumber, openNumbered }: DayMarks, session: Session): Promise<number[]> => {
      const isStale = { $expr: { $ne: ['$closed_at', '$closing.closed_at'] } };
      const since = { $or: [{ number: { $gt: billNumber } }, { _id: { $in: [...openNumbered] } }] };
      const filter = { ...since, status: 'closed' as const, ...isStale };
      const found = await bills.find(filter, { projection: { _id: 1 }, session }).toArray();
      return found.map(({ _id }) => _id);
    },
    /** Finds the user who closed each of these bills last. */
    findClosers: async (ids: readonly number[], session: Session): Promise<Map<number, Closing['by']>> => {
      const found = await bills.find({ _id: { $in: [...ids] } }, { projection: { history: 1 }, session }).toArray();
      return new Map(
        found.flatMap(({ _id, history }) => {
          const actor = history.findLast(({ what }) => what === 'closed')?.actor;
          return actor ? [[_id, { id: actor.id, name: actor.name }] as const] : [];
        }),
      );
    },
    /** Stores the day and the sums of a bill that an earlier release closed. Does nothing if the bill has changed since. */
    enterClosing: async (
      bill: Pick<Bill, 'id' | 'version' | 'closing' | 'closedAt'>,
      session: Session,
    ): Promise<void> => {
      const filter = { _id: bill.id, version: bill.version };
      await bills.updateOne(filter, { $set: toClosingFields(bill) }, { session });
    },
    /** Adds up the bills closed in a day. */
    sumSales: async (day: number, session?: Session): Promise<Sales> => {
      const add = (name: string) => ({ $sum: `$closing.${name}` });
      const stages = [
        { $match: { day, status: 'closed' } },
        {
          $group: {
            // An earlier release may have closed a bill again since: then its sums are older than itself.
            _id: { $eq: ['$closed_at', '$closing.closed_at'] },
            count: { $sum: 1 },
            items_total: add('items_total'),
            discount_total: add('discount_total'),
            service_charge: add('service_charge'),
            rounding: add('rounding'),
            total: add('total'),
          },
        },
        { $match: { _id: true } },
      ];
      type Sums = Record<'items_total' | 'discount_total' | 'service_charge' | 'rounding' | 'total', Decimal>;
      // The index has all these fields, so that no bill is read, however many there are.
      const options = { hint: salesIndex.name, ...(session && { session }) };
      const [found] = await bills.aggregate<Sums & { count: number }>(stages, options).toArray();
      return {
        count: found?.count ?? 0,
        itemsTotalMinor: found ? minor(found.items_total) : 0,
        discountTotalMinor: found ? minor(found.discount_total) : 0,
        serviceChargeMinor: found ? minor(found.service_charge) : 0,
        roundingMinor: found ? signedMinor(found.rounding) : 0,
        totalMinor: found ? minor(found.total) : 0,
      };
    },
    /** Adds up what is paid of open bills, in minor units. */
    sumUnsettled: async (session?: Session): Promise<number> => {
      const stages = [
        { $match: { status: 'open' } },
        { $project: { payments: 1 } },
        { $unwind: '$payments' },
        { $match: { 'payments.status': { $in: [...kept] } } },
        { $group: { _id: null, paid: { $sum: '$payments.amount' } } },
      ];
      const options = session ? { session } : {};
      const [found] = await bills.aggregate<{ paid: Decimal }>(stages, options).toArray();
      return found ? minor(found.paid) : 0;
    },
    /** Finds which of these payments stand as refunded after their bill was closed, with their amounts in minor units. */
    findRefundedAfterClosing: async (refunds: readonly PaymentRef[], session?: Session): Promise<PaymentOfBill[]> => {
      const wanted = new Set(refunds.map(({ paymentId }) => paymentId));
      const filter = { _id: { $in: [...new Set(refunds.map(({ billId }) => billId))] }, status: 'closed' as const };
      const found = await bills
        .find(filter, { projection: { payments: 1, closed_at: 1 }, ...(session && { session }) })
        .toArray();
      return found.flatMap((stored) =>
        paymentsOf(
          [stored],
          ({ id, status, refundedAt }) =>
            wanted.has(id) &&
            status === 'refunded' &&
            refundedAt !== null &&
            stored.closed_at !== null &&
            refundedAt >= stored.closed_at,
        ),
      );
    },
    /** Lists the open bills, oldest first, without their lines. */
    listOpen: async (session?: Session): Promise<{ id: number; version: number; areOrdersArchived: boolean }[]> => {
      const options = { projection: { version: 1, orders_archived: 1 }, sort: { _id: 1 }, ...(session && { session }) };
      const found = await bills.find({ status: 'open' }, options as never).toArray();
      return found.map(({ _id: id, version, orders_archived: isArchived }) => ({
        id,
        version,
        areOrdersArchived: isArchived === true,
      }));
    },
    /** Finds which of these bills have lines. Archived orders are not searched. */
    findWithLines: async (ids: readonly number[], session?: Session): Promise<Set<number>> => {
      if (ids.length === 0) return new Set();
      const isLine = { status: { $ne: 'cancelled' as const }, part_of: { $exists: false } };
      const filter = { bill_id: { $in: [...ids] }, itens: { $elemMatch: isLine } };
      return new Set((await orders.distinct('bill_id', filter, { ...(session && { session }) })) as number[]);
    },
  };
}
