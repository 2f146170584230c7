import type * as contract from '@comanda/contracts/bills';
import type { setCovers } from '@comanda/contracts/covers';
import { problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { OrderWriter } from '../batch/order-writer.ts';
import type { ChangeBill, WrittenBill } from '../batch/write.ts';
import { contextOf, idempotentRequestOf } from '../change-context.ts';
import { toMinor } from '../money.ts';
import type { BillChange } from './bill-change.ts';
import type { BillStore } from './bill-store.ts';

export type ChangeBillDeps = { writer: Pick<OrderWriter, 'write'> };
type BillCall = Pick<Call<typeof contract.closeBill>, 'caller' | 'context' | 'header' | 'idempotency'> & {
  params: { id: number };
};

/** Creates the command for a user's change to a bill. */
export const changeFor = (call: BillCall, change: BillChange, reason?: string): ChangeBill => ({
  kind: 'change_bill',
  context: contextOf(call, reason),
  request: idempotentRequestOf(call),
  billId: call.params.id,
  reader: call.caller,
  ifMatch: call.header('If-Match'),
  change,
});

/** `POST /bills/{id}/discounts`: gives a discount. */
export function giveBillDiscount(
  { writer }: ChangeBillDeps,
  call: Call<typeof contract.giveDiscount>,
): Promise<WrittenBill> {
  const { line_id: lineId, percent, amount, label, reason } = call.body;
  const discount = {
    lineId: lineId ?? null,
    percent: percent ?? null,
    amountMinor: amount === undefined ? null : toMinor(amount),
    label: label ?? null,
  };
  return writer.write(changeFor(call, { kind: 'give_discount', discount }, reason));
}

/** `DELETE /bills/{id}/discounts/{discount_id}`: removes a discount. */
export const takeBillDiscountAway = (
  { writer }: ChangeBillDeps,
  call: Call<typeof contract.takeDiscountAway>,
): Promise<WrittenBill> =>
  writer.write(changeFor(call, { kind: 'take_discount_away', discountId: call.params.discount_id }));

type ServiceChargeDeps = ChangeBillDeps & { bills: Pick<BillStore, 'findHistory'> };

/** `PUT /bills/{id}/service-charge`: includes or declines the service charge. */
export async function setBillServiceCharge(
  { writer, bills }: ServiceChargeDeps,
  call: Call<typeof contract.setServiceCharge>,
): Promise<WrittenBill> {
  const guestChanges = call.caller.role === 'customer' ? await countGuestChanges(bills, call.params.id) : null;
  const { included } = call.body;
  return writer.write(changeFor(call, { kind: 'set_service_charge', included, guestChanges }));
}

async function countGuestChanges(bills: ServiceChargeDeps['bills'], id: number) {
  const history = (await bills.findHistory(id)) ?? [];
  const count = history.filter(({ what, actor }) => what === 'service_charge' && actor.role === 'customer').length;
  return { count, version: history.at(-1)?.version ?? 0 };
}

/** `PUT /bills/{id}/table`: moves the bill to another table. */
export const moveBillToTable = (
  { writer }: ChangeBillDeps,
  call: Call<typeof contract.setBillTable>,
): Promise<WrittenBill> => writer.write(changeFor(call, { kind: 'move', table: call.body.table }));

/** `PUT /bills/{id}/covers`: stores the number of guests. */
export const setBillCovers = ({ writer }: ChangeBillDeps, call: Call<typeof setCovers>): Promise<WrittenBill> =>
  writer.write(changeFor(call, { kind: 'set_covers', covers: call.body.covers }));

/** `POST /bills/{id}/merge`: returns the other bill, which gets this one's lines. */
export async function mergeBill(
  { writer }: ChangeBillDeps,
  call: Call<typeof contract.mergeBill>,
): Promise<WrittenBill> {
  const { into } = call.body;
  if (into === call.params.id) {
    const errors = [{ pointer: '/into', detail: 'must be another bill' }];
    throw problem('validation_failed', { errors });
  }
  return writer.write(changeFor(call, { kind: 'merge', into }));
}

/** `POST /bills/{id}/reopen`: reopens a closed bill. */
export const reopenOneBill = (
  { writer }: ChangeBillDeps,
  call: Call<typeof contract.reopenBill>,
): Promise<WrittenBill> => writer.write(changeFor(call, { kind: 'reopen' }, call.body.reason));
