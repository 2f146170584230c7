import { billAmounts, settledOf, activePayments } from '@comanda/contracts/bill-amounts';
import type { BillChange } from '@comanda/contracts/bills';
import { problem, type Problem } from '@comanda/contracts/problem';
import type { Message } from '@comanda/shared/messaging/publisher';
import { newMessage } from '../messages.ts';
import { fromMinor } from '../money.ts';
import type { ChangeContext } from '../orders/order-events.ts';
import type { Order } from '../orders/order.ts';
import type { RestaurantSettings } from '../restaurant/restaurant-settings.ts';
import { stateOf, toBillResponse, type Bill, type BillHistoryEntry, type BillWithOrders } from '../bills/bill.ts';

/** A bill in a batch, with what is to be written with it. `orders` and `bill` are as the batch has left them so far. */
export type BillWork = {
  /** Null if the batch has begun it. */
  before: Bill | null;
  bill: Bill;
  orders: readonly Order[];
  history: BillHistoryEntry[];
  messages: Message[];
};
export const isChanged = ({ before, bill }: BillWork): boolean => bill.version !== (before?.version ?? 0);
/** An open bill to which the batch only adds orders: it is not read, only counted up. */
export type GrowingBill = { id: number; version: number; history: BillHistoryEntry[] };
export type BillsState = {
  readonly byId: Map<number, BillWork>;
  /** Open bills of seatings that are not in `byId`, by id. */
  readonly growing: Map<number, GrowingBill>;
  /** The id of the open bill of each seating. */
  readonly openBySeating: Map<number, number>;
  /** Seatings and the id of their newest bill, for bills that are to be opened again. */
  readonly newestBySeating: ReadonlyMap<number, number>;
  readonly settings: RestaurantSettings;
};
/** What a change is called in the history and the event of its bill. */
export type BillEntry = {
  kind: BillChange;
  amountMinor?: number;
  lineId?: number;
  paymentId?: number;
  fromSeating?: number;
};
type Entered = { bill: Bill; orders?: readonly Order[]; entry: BillEntry | null; context: ChangeContext; now: Date };

/**
 * Enters one change: the bill as it is after it, in its next version, with its entry and, unless it is an order, its event.
 * Without an entry, it is a change that no reader sees.
 */
export function enterBill(work: BillWork, { bill, orders = work.orders, entry, context, now }: Entered): void {
  const { actor, traceparent, reason } = context;
  const fromUserIds = ownersOf(work.orders).filter((id) => !ownersOf(orders).includes(id));
  work.bill = { ...bill, version: work.bill.version + 1, updatedAt: now };
  work.orders = orders;
  if (!entry) return;
  const { kind, amountMinor, lineId, paymentId, fromSeating } = entry;
  const ids = {
    ...(lineId !== undefined && { line_id: lineId }),
    ...(paymentId !== undefined && { payment_id: paymentId }),
  };
  work.history.push({
    at: now,
    actor,
    what: kind,
    ...(reason !== undefined && { reason }),
    ...(amountMinor !== undefined && { amount: fromMinor(amountMinor) }),
    ...ids,
    version: work.bill.version,
  });
  // `order.created` tells of an order, with the id of its bill.
  if (kind === 'ordered') return;
  const data = {
    bill: toBillResponse(work, { isStaff: false }),
    change: { kind, ...ids },
    ...(fromSeating !== undefined && { from_seating: fromSeating }),
    ...(fromUserIds.length > 0 && { from_user_ids: fromUserIds }),
    actor: { id: actor.id, role: actor.role },
  };
  work.messages.push(newMessage('bill.changed', { subject: String(bill.id), at: now, traceparent, data }));
}

const ownersOf = (orders: readonly Order[]): number[] => [...new Set(orders.map(({ ownerId }) => ownerId))];

type NewBill = { id: number; table: string | null; seating: number | null; currency: string; now: Date };

/** Begins a bill. It is version 0 until its first change is entered. */
export function beginBill(bills: BillsState, { id, table, seating, currency, now }: NewBill): BillWork {
  const work: BillWork = {
    before: null,
    bill: {
      id,
      status: 'open',
      version: 0,
      number: null,
      table,
      seating,
      currency,
      serviceCharge: { rate: bills.settings.serviceCharge.rate, included: true },
      lastDiscountId: 0,
      discounts: [],
      payments: [],
      mergedInto: null,
      areOrdersArchived: false,
      createdAt: now,
      closedAt: null,
      updatedAt: now,
    },
    orders: [],
    history: [],
    messages: [],
  };
  bills.byId.set(id, work);
  if (seating !== null) bills.openBySeating.set(seating, id);
  return work;
}

export const withOrder = (orders: readonly Order[], order: Order): Order[] =>
  orders.map((each) => (each.id === order.id ? order : each));

export const refuseUnlessOpen = ({ status }: Bill): Problem | null =>
  status === 'open' ? null : problem('bill_not_open');

/** Refuses a change of a line of which a piece is paid or reserved. */
export function refuseSettledLine(work: BillWithOrders, lineId: number): Problem | null {
  const state = stateOf(work);
  const line = state.lines.find(({ id }) => id === lineId);
  const active = activePayments(state);
  if (!line || settledOf(line, active).count === 0) return null;
  const paying = active.filter(
    ({ covers }) => covers.by === 'lines' && covers.pieces.some((piece) => piece.lineId === lineId),
  );
  return problem('bill_item_settled', { line_id: lineId, payment_ids: paying.map(({ id }) => id) });
}

/** Refuses a change after which more would be paid than the bill comes to. */
export function refuseOverpaid(work: BillWithOrders): Problem | null {
  const { remaining } = billAmounts(stateOf(work));
  return remaining < 0n ? problem('bill_overpaid', { by: fromMinor(-remaining) }) : null;
}
