import { problem, Problem } from '@comanda/contracts/problem';
import { tagsIn } from '@comanda/shared/http/entity-tag';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import {
  cancelReservation,
  claimPayment,
  expireReservations,
  reservePayment,
  settlePayment,
} from '../bills/account-payment.ts';
import type { BillDecision } from '../bills/bill-change.ts';
import { recordPayment, refundPayment } from '../bills/bill-payments.ts';
import {
  closeBill,
  giveDiscount,
  mergeBills,
  moveBill,
  reopenBill,
  setCovers,
  setServiceCharge,
  takeDiscountAway,
} from '../bills/bill-rules.ts';
import { mayRead, type BillWithOrders } from '../bills/bill.ts';
import { nextVersion } from '../orders/order-rules.ts';
import type { Order, OrderLocation } from '../orders/order.ts';
import type { RestaurantSettings } from '../restaurant/restaurant-settings.ts';
import type { BatchState } from './batch-state.ts';
import { recordBillStep, recordMove } from './record-bill-change.ts';
import { isPayment, type ChangeBill, type WrittenBill } from './write.ts';

/** Records the end of each overdue reservation. Call this before deciding any write, so that all bills are up to date. */
export function endOverdueReservations(state: BatchState, traceparent: string): void {
  for (const { bill } of state.bills.byId.values())
    // No user ends these reservations, so the history names the user who made each one.
    for (const { step, payer } of expireReservations(bill, state.now))
      recordBillStep(state, step, { actor: payer, traceparent });
}

/** Accepts or rejects a bill's change. If accepted, records it in `state`. A rejected change leaves `state` as it is. */
export function decideBillChange(state: BatchState, write: ChangeBill): Outcome<WrittenBill> {
  const earlier = write.request && findEarlier(state, write.request);
  if (earlier) return earlier;
  const bill = state.bills.byId.get(write.billId);
  if (!bill) return { error: problem('not_found') };
  const { change, context } = write;
  const into = change.kind === 'merge' ? (state.bills.byId.get(change.into) ?? null) : null;
  const facts = {
    now: state.now,
    settings: state.bills.settings,
    paymentId: state.counters.paymentId + 1,
    billNumber: state.counters.billNumber + 1,
    into,
    hasNewer: hasNewerBill(state, bill),
    day: state.day,
    cashDrawers: state.cashDrawers,
  };
  const decision = refuseReader(bill, write) ?? decide(bill, write, facts);
  if (decision instanceof Problem) return { error: decision };

  for (const step of decision) recordBillStep(state, step, context);
  const { seating } = bill.bill;
  if (change.kind === 'move') moveRemakes(state, { seating, to: { table: change.table }, context });
  if (into && decision.length > 0) moveRemakes(state, { seating, to: { seating: into.bill.seating }, context });
  const { paymentId, billNumber } = facts;
  if (isPayment(change)) state.counters = { ...state.counters, paymentId };
  if (change.kind === 'close' && bill.bill.number === billNumber) state.counters = { ...state.counters, billNumber };
  const written = into ?? bill;
  return {
    value: {
      bill: { bill: written.bill, orders: written.orders },
      replayed: false,
      paymentId: isPayment(change) ? paymentId : null,
    },
  };
}

type ToMove = { seating: number | null; to: Partial<OrderLocation>; context: ChangeBill['context'] };
/** Moves what the kitchen still prepares again for these guests: it is on no bill. */
function moveRemakes(state: BatchState, { seating, to, context }: ToMove): void {
  const isOpen = ({ status }: Order): boolean => status !== 'delivered' && status !== 'cancelled';
  const remakes = [...state.orders.values()].filter((order) => order.billId === null && isOpen(order));
  for (const before of remakes) {
    const after = { ...before, ...to };
    if (seating !== null && before.seating === seating && (after.table !== before.table || after.seating !== seating))
      recordMove(state, { before, after: nextVersion(after, state.now), context });
  }
}

/** An idempotency key belongs to one request. A retry gets the bill's current state; a different request is rejected. */
function findEarlier({ bills }: BatchState, { key, fingerprint }: IdempotentRequest): Outcome<WrittenBill> | null {
  for (const { bill, orders } of bills.byId.values()) {
    const payment = bill.payments.find(({ request }) => request?.key === key);
    const earlier = (payment ?? bill.discounts.find(({ request }) => request?.key === key))?.request;
    if (earlier)
      return earlier.fingerprint === fingerprint
        ? { value: { bill: { bill, orders }, replayed: true, paymentId: payment?.id ?? null } }
        : { error: problem('idempotency_key_reused') };
  }
  return null;
}

function refuseReader(bill: BillWithOrders, { reader, ifMatch }: ChangeBill): Problem | null {
  if (reader && !mayRead(bill, reader)) return problem('not_found');
  return refuseByTag(bill, ifMatch);
}

/** Rejects with 412 if `If-Match` was sent and names another version of the bill. */
function refuseByTag({ bill: { id, version } }: BillWithOrders, ifMatch: string | undefined): Problem | null {
  if (ifMatch === undefined) return null;
  // The tag's last part is ignored: it changes with the status of the bill's lines, without a new version of the bill.
  const isMatch = tagsIn(ifMatch).some((tag) => tag === '*' || tag.startsWith(`"${id}-${version}-`));
  return isMatch ? null : problem('version_mismatch');
}

/** Returns true if the bill's seating has a newer bill or another open bill. */
function hasNewerBill({ bills }: BatchState, { bill: { id, seating } }: BillWithOrders): boolean {
  if (seating === null) return false;
  return (bills.newestBySeating.get(seating) ?? id) > id || (bills.openBySeating.get(seating) ?? id) !== id;
}

/** Everything besides the bill that decides a change. */
type Facts = {
  now: Date;
  settings: RestaurantSettings;
  /** The ids and numbers for the next payment and the next closed bill. */
  paymentId: number;
  billNumber: number;
  /** The bill that this bill is merged into; null if that bill doesn't exist or the change isn't a merge. */
  into: BillWithOrders | null;
  hasNewer: boolean;
  /** The number of the running day. */
  day: number;
  cashDrawers: BatchState['cashDrawers'];
};

/** Decides one change to a bill. Depends only on its arguments, and changes none of them. */
function decide(bill: BillWithOrders, { change, context, request }: ChangeBill, facts: Facts): BillDecision {
  const { actor: by } = context;
  const { now, settings, paymentId: id, day, cashDrawers } = facts;
  switch (change.kind) {
    case 'give_discount':
      return giveDiscount(bill, {
        ...change.discount,
        limit: by.role === 'manager' ? null : settings.waiterDiscountLimit,
        request,
      });
    case 'take_discount_away':
      return takeDiscountAway(bill, change.discountId);
    case 'set_service_charge':
      return setServiceCharge(bill, { ...change, isOptional: settings.serviceCharge.optional });
    case 'move':
      return moveBill(bill, { table: change.table, now });
    case 'set_covers':
      return setCovers(bill, change.covers);
    case 'merge':
      return facts.into ? mergeBills(bill, facts.into, now) : problem('not_found');
    case 'close':
      return closeBill(bill, { number: facts.billNumber, day, by, now });
    case 'reopen':
      return reopenBill(bill, { hasNewer: facts.hasNewer, day });
    case 'record_payment':
      return recordPayment(bill, { id, body: change.payment, recordedBy: by, request, cashDrawers, now });
    case 'reserve_payment':
      return reservePayment(bill, { id, body: change.payment, recordedBy: by, request, now });
    case 'cancel_payment':
      return cancelReservation(bill.bill, { ...change, by, now });
    case 'refund_payment':
      return refundPayment(bill, { ...change, cashDrawers, by, now });
    case 'claim_payment':
      return claimPayment(bill.bill, { ...change, by, now });
    case 'settle_payment':
      return settlePayment(bill, { ...change, by, now });
    case 'end_overdue_reservations': // each batch ends them first, on all its bills
  }
  return [];
}
