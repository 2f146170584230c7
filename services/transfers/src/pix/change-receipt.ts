import type * as contract from '@comanda/contracts/pix';
import type { PixReceipt as ReceiptResponse, PixReceiptState } from '@comanda/contracts/pix';
import { problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { Clock } from '@comanda/shared/runtime/clock';
import { withTimeLimit } from '@comanda/shared/runtime/time-limit';
import { advanceReceipt, settleAgain, type AdvanceDeps } from './advance-receipt.ts';
import type { PixOrders } from './ask-orders.ts';
import { authorOf } from './author.ts';
import type { ChargeStore } from './charge-store.ts';
import { mayBe, toReceiptResponse, type NamedPayment, type PixReceipt } from './pix-receipt.ts';
import type { ReceiptStore } from './receipt-store.ts';

export type ChangeReceiptDeps = {
  receipts: ReceiptStore;
  charges: Pick<ChargeStore, 'find'>;
  orders: PixOrders;
  /** Does the next steps of a receipt; null without a bank, because only its answers can be signed. */
  advance: AdvanceDeps | null;
  clock: Clock;
};

/** How long a response waits for the next steps, in milliseconds. The sweep continues them after that. */
const waitMs = 1200;

/** @throws 404 `not_found`; 409 `pix_receipt_state` */
export async function findReceiptIn(
  receipts: Pick<ReceiptStore, 'find'>,
  endToEndId: string,
  states: readonly PixReceiptState[],
): Promise<PixReceipt> {
  const receipt = await receipts.find(endToEndId);
  if (!receipt) throw problem('not_found');
  if (!states.includes(receipt.state)) throw problem('pix_receipt_state', { state: receipt.state });
  return receipt;
}

/** Another request has changed the receipt in the meantime. @throws 409 `pix_receipt_state` */
export async function refuseChanged(receipts: Pick<ReceiptStore, 'find'>, endToEndId: string): Promise<never> {
  const receipt = await receipts.find(endToEndId);
  throw problem('pix_receipt_state', { state: receipt?.state ?? 'settling' });
}

/** Does the next steps of a receipt for a short time, and returns what it is then. What fails is continued by the sweep. */
export async function advanceNow(
  { receipts, advance }: Pick<ChangeReceiptDeps, 'receipts' | 'advance'>,
  receipt: PixReceipt,
): Promise<ReceiptResponse> {
  if (advance) {
    const deadline = performance.now() + waitMs;
    const onTimeout = () => new Error('the next steps take longer');
    await withTimeLimit(advanceReceipt(advance, receipt), { deadline, onTimeout }).catch((error: unknown) =>
      advance.logger.warn({ err: error, pix: receipt.endToEndId }, 'a Pix is continued by the sweep'),
    );
  }
  return toReceiptResponse((await receipts.find(receipt.endToEndId)) ?? receipt);
}

/**
 * `POST /pix/receipts/{e2e}/assign`: asks orders whether the Pix pays this payment.
 * @throws 404 `not_found`; 409 `pix_receipt_state`; 503 `service_unavailable` if orders does not respond and the payment has no
 * Pix code, from which it is known when the payment was reserved: nothing was written
 */
export async function assignReceipt(
  deps: ChangeReceiptDeps,
  call: Call<typeof contract.assignPix>,
): Promise<ReceiptResponse> {
  const { receipts, clock } = deps;
  const { payment_id: paymentId } = call.body;
  const receipt = await findReceiptIn(receipts, call.params.e2e, mayBe.assigned);
  const named = await findNamed(deps, call);
  const asked = named
    ? await settleAgain(receipts, receipt, {
        now: new Date(clock()),
        named,
        paymentId,
        assignedBy: authorOf(call.caller),
        refusal: null,
        dismissed: null,
      })
    : await receipts.change(receipt, {
        state: 'unmatched',
        paymentId,
        refusal: 'not_found',
        dismissed: null,
      });
  if (!asked) return refuseChanged(receipts, receipt.endToEndId);
  return named ? advanceNow(deps, asked) : toReceiptResponse(asked);
}

/** Finds when the payment was reserved: its code says so, or orders. Returns null if there is no such payment. */
async function findNamed(
  { charges, orders }: Pick<ChangeReceiptDeps, 'charges' | 'orders'>,
  call: Call<typeof contract.assignPix>,
): Promise<NamedPayment | null> {
  const { payment_id: id } = call.body;
  const charge = await charges.find(id);
  if (charge) return { id, createdAt: charge.paymentCreatedAt };
  const payment = await orders.findPayment(id, call);
  return payment && { id, createdAt: new Date(payment.created_at) };
}

/**
 * `POST /pix/receipts/{e2e}/dismiss`: a manager says that the Pix belongs to no bill.
 * @throws 404 `not_found`; 409 `pix_receipt_state`
 */
export async function dismissReceipt(
  { receipts, clock }: Pick<ChangeReceiptDeps, 'receipts' | 'clock'>,
  { params, body: { reason }, caller }: Call<typeof contract.dismissPix>,
): Promise<ReceiptResponse> {
  const receipt = await findReceiptIn(receipts, params.e2e, mayBe.dismissed);
  const dismissed = { reason, at: new Date(clock()), by: authorOf(caller) };
  const changed = await receipts.change(receipt, { state: 'dismissed', dismissed });
  return changed ? toReceiptResponse(changed) : refuseChanged(receipts, receipt.endToEndId);
}
