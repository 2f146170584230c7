import type * as contract from '@comanda/contracts/pix';
import type { ResponseOf } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problem';
import type { Signer } from '@comanda/shared/crypto/statement';
import type { Call } from '@comanda/shared/http/api';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { PixOrders } from './ask-orders.ts';
import { authorOf } from './author.ts';
import type { ChargeStore } from './charge-store.ts';
import { signConfirmation } from './statement.ts';

export type ConfirmDeps = {
  charges: Pick<ChargeStore, 'find'>;
  orders: Pick<PixOrders, 'decide' | 'findPayment'>;
  signer: () => Signer;
  clock: Clock;
};
type ConfirmCall = Call<typeof contract.confirmPixCharge>;

/**
 * `POST /pix/charges/{payment_id}/confirm`: a person has seen the Pix in the bank's app. The bank's Pix, if it comes, replaces
 * their word.
 * @throws 404 `not_found`; 403 `forbidden` for a waiter, if the bank can confirm the charge; 409 `payment_not_payable`; 503
 * `service_unavailable` if orders does not respond: to confirm again does no harm
 */
export async function confirmCharge(
  deps: ConfirmDeps,
  call: ConfirmCall,
): Promise<ResponseOf<typeof contract.confirmPixCharge>> {
  const { charges, orders, signer, clock } = deps;
  const { payment_id: paymentId } = call.params;
  const charge = await charges.find(paymentId);
  if (!charge) throw problem('not_found');
  if (charge.mode === 'bank' && call.caller.role !== 'manager')
    throw problem('forbidden', { detail: 'The bank confirms this payment. Only a manager can confirm it by hand.' });
  const { paymentCreatedAt: createdAt, amountMinor } = charge;
  const { reference } = call.body;
  const named = { id: paymentId, createdAt };
  const confirmation = { named, amountMinor, by: authorOf(call.caller), reference, now: new Date(clock()) };
  const { outcome } = await orders.decide(signConfirmation(confirmation, signer()));
  const payment = await orders.findPayment(paymentId, call);
  if (outcome === 'refused') throw problem('payment_not_payable', { payment_status: payment?.status ?? 'failed' });
  return { payment_id: paymentId, confirmed_by: payment?.confirmed_by ?? 'staff' };
}
