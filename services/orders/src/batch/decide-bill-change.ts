import { isDeepStrictEqual } from 'node:util';
import { problem, Problem } from '@comanda/contracts/problem';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import { toException } from '../exceptions/exception.ts';
import { exceptionsOfOrder } from '../orders/exceptions-of-order.ts';
import type { BatchState } from './batch-state.ts';
import { recordTableChange, type ChangeContext } from '../orders/order-events.ts';
import { nextVersion } from '../orders/order-rules.ts';
import type { Order, OrderLocation } from '../orders/order.ts';
import { enterBill, type BillWork } from './record-bill-change.ts';
import type { ChangedBill } from '../bills/bill-rules.ts';
import type { Bill, BillWithOrders } from '../bills/bill.ts';

/** A bill as it was written, or as it is now if the request was made before: then `replayed`. */
export type WrittenBill = { written: BillWithOrders; replayed: boolean };
/** A write of one bill. It may be applied again, to a newer version of the bill. */
export type BillChangeRequest = {
  billId: number;
  context: ChangeContext;
  /** Null if the request has no idempotency key. */
  request: IdempotentRequest | null;
  /** The other bill that `apply` needs. */
  otherId?: number;
  /** It needs a number for a payment, or for a bill that is closed, or it may open a bill again. */
  needs?: 'payment' | 'number' | 'newest';
  /** Returns the bill to answer, or why nothing is written. */
  apply: (state: BatchState, work: BillWork) => BillWork | Problem;
};
export type BillWriter = {
  /**
   * Changes a bill, with its history and its event, in one transaction.
   * @throws the refusal of the change; 422 `idempotency_key_reused`; 503 `service_unavailable`
   */
  changeBill: (change: BillChangeRequest) => Promise<WrittenBill>;
};

const requestsOf = ({ payments, discounts }: Bill): readonly IdempotentRequest[] =>
  [...payments, ...discounts].flatMap(({ request }) => request ?? []);

/** Applies or refuses a write of a bill. */
export function applyBillChange(state: BatchState, change: BillChangeRequest): Outcome<WrittenBill> {
  const { byId } = state.bills;
  const { request, billId } = change;
  for (const { bill, orders } of request ? byId.values() : []) {
    const earlier = requestsOf(bill).find(({ key }) => key === request?.key);
    if (earlier?.fingerprint === request?.fingerprint) return { value: { written: { bill, orders }, replayed: true } };
    if (earlier) return { error: problem('idempotency_key_reused') };
  }
  const work = byId.get(billId);
  if (!work) return { error: problem('not_found') };
  const written = change.apply(state, work);
  if (written instanceof Problem) return { error: written };
  return { value: { written: { bill: written.bill, orders: written.orders }, replayed: false } };
}

type Written = { work: BillWork; changed: ChangedBill; context: ChangeContext };

/** Enters a changed bill in the batch, and keeps which bill of its seating is open. */
export function enterChanged(state: BatchState, { work, changed, context }: Written): BillWork | Problem {
  if (changed instanceof Problem) return changed;
  if (changed === null) return work;
  const { exception, ...entered } = changed;
  enterBill(work, { ...entered, context, now: state.now });
  if (exception) state.exceptions.push(toException(exception, { billId: work.bill.id, at: state.now, context }));
  const { id, status, seating } = work.bill;
  if (seating === null) return work;
  const { openBySeating } = state.bills;
  if (status === 'open') openBySeating.set(seating, id);
  else if (openBySeating.get(seating) === id) openBySeating.delete(seating);
  return work;
}

type Moved = { orders: readonly Order[]; to: Partial<OrderLocation & { billId: number }>; context: ChangeContext };

/** Writes orders of a bill at another table or seating, or on another bill. Returns all of them. */
export function relocate(state: BatchState, { orders, to, context }: Moved): Order[] {
  return orders.map((before) => {
    const after = { ...before, ...to };
    if (isDeepStrictEqual(after, before)) return before;
    const order = nextVersion(after, state.now);
    state.changed.push({ before, order, ...recordTableChange(before, order, context) });
    state.exceptions.push(...exceptionsOfOrder({ before, after: order, context }));
    state.orders.set(order.id, order);
    return order;
  });
}
