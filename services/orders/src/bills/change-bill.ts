import type * as contract from '@comanda/contracts/bills';
import { problem, Problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import { toMinor } from '../money.ts';
import type { ChangeContext } from '../orders/order-events.ts';
import { enterBill } from '../batch/record-bill-change.ts';
import type { BillStore } from './bill-store.ts';
import { putDiscounts, takeDiscounts } from '../batch/bill-of-order.ts';
import { giveDiscount, refuseMerge, reopenBill, setServiceCharge, takeDiscountAway } from './bill-rules.ts';
import { mayRead, type BillWithOrders } from './bill.ts';
import {
  enterChanged,
  relocate,
  type BillChangeRequest,
  type BillWriter,
  type WrittenBill,
} from '../batch/decide-bill-change.ts';

export type ChangeBillDeps = { writer: BillWriter };
type AnyCall = Pick<Call<typeof contract.closeBill>, 'caller' | 'context' | 'header' | 'idempotency'> & {
  params: { id: number };
};

/** Refuses with 412 if `If-Match` was sent and the bill has another version by now. */
function refuseByTag({ bill }: BillWithOrders, { header }: AnyCall): Problem | null {
  const sent = header('If-Match');
  if (sent === undefined || sent.trim() === '*') return null;
  const isMatch = sent.split(',').some((tag) => tag.trim().startsWith(`"${bill.id}-${bill.version}-`));
  return isMatch ? null : problem('version_mismatch');
}

export const contextOf = ({ caller, context }: AnyCall, reason?: string): ChangeContext => ({
  actor: { id: caller.userId, name: caller.name, role: caller.role },
  traceparent: context.traceparent,
  ...(reason !== undefined && { reason }),
});
/** Stored keys are unique for their user. */
export const requestOf = ({ caller, idempotency }: AnyCall): IdempotentRequest | null =>
  idempotency && { ...idempotency, key: `${caller.userId}/${idempotency.key}` };

type Change = Omit<BillChangeRequest, 'billId' | 'context' | 'request'> & { reason?: string };

/** Writes a bill that the caller may read. */
export function changeBill(
  { writer }: ChangeBillDeps,
  call: AnyCall,
  { reason, apply, ...change }: Change,
): Promise<WrittenBill> {
  return writer.changeBill({
    ...change,
    billId: call.params.id,
    context: contextOf(call, reason),
    request: requestOf(call),
    apply: (state, work) => {
      if (!mayRead(work, call.caller)) return problem('not_found');
      return refuseByTag(work, call) ?? apply(state, work);
    },
  });
}

/** `POST /bills/{id}/discounts` */
export function giveBillDiscount(deps: ChangeBillDeps, call: Call<typeof contract.giveDiscount>): Promise<WrittenBill> {
  const { body, caller } = call;
  const request = requestOf(call);
  const discount = {
    lineId: body.line_id ?? null,
    percent: body.percent ?? null,
    amountMinor: body.amount === undefined ? null : toMinor(body.amount),
    label: body.label ?? null,
    isTakenAway: false,
    request,
  };
  const { reason } = body;
  return changeBill(deps, call, {
    reason,
    apply: (state, work) => {
      const limit = caller.role === 'manager' ? null : state.bills.settings.waiterDiscountLimit;
      const changed = giveDiscount(work, { ...discount, limit });
      return enterChanged(state, { work, changed, context: contextOf(call, reason) });
    },
  });
}

/** `DELETE /bills/{id}/discounts/{discount_id}` */
export const takeBillDiscountAway = (
  deps: ChangeBillDeps,
  call: Call<typeof contract.takeDiscountAway>,
): Promise<WrittenBill> =>
  changeBill(deps, call, {
    apply: (state, work) => {
      const changed = takeDiscountAway(work, call.params.discount_id);
      return enterChanged(state, { work, changed, context: contextOf(call) });
    },
  });

/** So many times may customers change the service charge of one bill, so that nobody makes it too large to be stored. */
const maxServiceCharges = 20;
const tooManyServiceCharges = (): Problem =>
  problem('rate_limited', {
    detail: "Customers changed this bill's service charge too often. Ask a waiter to change it.",
  });

type ServiceChargeDeps = ChangeBillDeps & { bills: Pick<BillStore, 'findHistory'> };

/** `PUT /bills/{id}/service-charge` */
export async function setBillServiceCharge(
  deps: ServiceChargeDeps,
  call: Call<typeof contract.setServiceCharge>,
): Promise<WrittenBill> {
  const isGuest = call.caller.role === 'customer';
  const history = (isGuest && (await deps.bills.findHistory(call.params.id))) || [];
  const changes = history.filter(({ what, actor }) => what === 'service_charge' && actor.role === 'customer').length;
  const version = history.at(-1)?.version ?? 0;
  return changeBill(deps, call, {
    apply: (state, work) => {
      if (isGuest && !state.bills.settings.serviceCharge.optional) return problem('forbidden');
      const changed = setServiceCharge(work, call.body.included);
      // Changes that were written since the history was read may all be of the service charge.
      const isTooOften = isGuest && changes + work.bill.version - version >= maxServiceCharges;
      if (isTooOften && changed !== null && !(changed instanceof Problem)) return tooManyServiceCharges();
      return enterChanged(state, { work, changed, context: contextOf(call) });
    },
  });
}

/** `PUT /bills/{id}/table`: the bill and its orders that are not delivered go to another table. */
export const moveBill = (deps: ChangeBillDeps, call: Call<typeof contract.setBillTable>): Promise<WrittenBill> =>
  changeBill(deps, call, {
    apply: (state, work) => {
      const { table } = call.body;
      const context = contextOf(call);
      if (work.bill.status !== 'open') return problem('bill_not_open');
      const stays = work.orders.filter(({ status }) => status === 'delivered' || status === 'cancelled');
      const moved = relocate(state, {
        orders: work.orders.filter((order) => !stays.includes(order)),
        to: { table },
        context,
      });
      if (work.bill.table === table && moved.every((order) => work.orders.includes(order))) return work;
      const bill = { ...work.bill, table };
      enterBill(work, { bill, orders: [...stays, ...moved], entry: { kind: 'table' }, context, now: state.now });
      return work;
    },
  });

/** `POST /bills/{id}/merge`: the other bill gets the lines of this one. A repetition changes nothing. */
export function mergeBills(deps: ChangeBillDeps, call: Call<typeof contract.mergeBill>): Promise<WrittenBill> {
  const { into: intoId } = call.body;
  if (intoId === call.params.id) {
    const errors = [{ pointer: '/into', detail: 'must be another bill' }];
    throw problem('validation_failed', { errors });
  }
  const context = contextOf(call);
  return changeBill(deps, call, {
    otherId: intoId,
    apply: (state, work) => {
      const into = state.bills.byId.get(intoId);
      if (!into) return problem('not_found');
      if (work.bill.mergedInto === intoId) return into;
      const refusal = refuseMerge(work, into);
      if (refusal) return refusal;
      const { now } = state;
      const { seating } = work.bill;
      const moved = relocate(state, {
        orders: work.orders,
        to: { seating: into.bill.seating, billId: intoId },
        context,
      });
      const lineIds = new Set(work.orders.flatMap(({ items }) => items.map(({ id }) => id)));
      const { moved: discounts } = takeDiscounts(work.bill, lineIds);
      const from = { ...work.bill, status: 'merged' as const, mergedInto: intoId, discounts: [] };
      enterBill(work, { bill: from, orders: [], entry: { kind: 'merged' }, context, now });
      if (seating !== null) state.bills.openBySeating.delete(seating);
      const entry = { kind: 'merged', ...(seating !== null && { fromSeating: seating }) } as const;
      const orders = [...into.orders, ...moved];
      enterBill(into, { bill: putDiscounts(into.bill, discounts), orders, entry, context, now });
      return into;
    },
  });
}

/** `POST /bills/{id}/reopen` */
export const reopenOneBill = (deps: ChangeBillDeps, call: Call<typeof contract.reopenBill>): Promise<WrittenBill> =>
  changeBill(deps, call, {
    needs: 'newest',
    reason: call.body.reason,
    apply: (state, work) => {
      const { id, seating } = work.bill;
      const newest = seating === null ? id : (state.bills.newestBySeating.get(seating) ?? id);
      const hasOpen = seating !== null && (state.bills.openBySeating.get(seating) ?? id) !== id;
      const changed = reopenBill(work, newest > id || hasOpen);
      return enterChanged(state, { work, changed, context: contextOf(call, call.body.reason) });
    },
  });
