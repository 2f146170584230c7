import { CallFailure, type Client } from '@comanda/client/core';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import { isMoreThan } from '../account/amount.ts';
import { readOwnAccounts } from '../account/read-own-accounts.ts';
import { tipAmountOf, totalOf, type KeptPayment, type Plan, type Step } from './pin-payment-state.ts';

type Prepared =
  | { kind: 'reserved'; payment: BillPayment; accountId: number }
  /** `plan` has the new amount; `before` and `now` are the totals with the tip. */
  | { kind: 'changed'; plan: Plan; before: string; now: string }
  | Extract<Step, { kind: 'no_pin' | 'blocked' | 'no_account' | 'no_money' | 'choose_account' }>;
type Input = { kept: KeptPayment; payerId: number; signal: AbortSignal };

/**
 * Prepares a payment: checks that the user has a usable PIN and an account with enough money, then reserves the part. Returns the
 * first thing that is missing, or the reservation.
 * @throws CallFailure, or the signal's reason if the page was left before the reservation
 */
export async function preparePayment(client: Client, { kept, payerId, signal }: Input): Promise<Prepared> {
  const { plan, accountId } = kept;
  const { status, blocked_until: until = null } = await client.calls.transactionPassword();
  signal.throwIfAborted();
  if (status === 'blocked') return { kind: 'blocked', until };

  const own = await readOwnAccounts(client, payerId);
  signal.throwIfAborted();
  const accounts = own.filter(({ currency }) => currency === plan.currency);
  const able = accounts.filter(({ balance }) => !isMoreThan(totalOf(plan), balance));
  if (accounts.length > 0 && able.length === 0) return { kind: 'no_money' };
  // Checked after the balance, so that no user creates a PIN only to learn that there isn't enough money.
  if (status === 'absent') return { kind: 'no_pin' };
  if (accounts.length === 0) return { kind: 'no_account' };
  const chosen = able.find(({ id }) => id === accountId) ?? (able.length === 1 ? able[0] : undefined);
  if (!chosen) return { kind: 'choose_account', accounts: able };

  try {
    const payment = await client.calls.payBill(reservationOf(plan), { idempotencyKey: kept.reserveKey });
    return { kind: 'reserved', payment, accountId: chosen.id };
  } catch (error) {
    if (!(error instanceof CallFailure && error.is('bill_changed'))) throw error;
    const changed = { ...plan, amount: error.problem.amount };
    return { kind: 'changed', plan: changed, before: totalOf(plan), now: totalOf(changed) };
  }
}

const reservationOf = (plan: Plan) =>
  ({
    id: plan.billId,
    method: 'account',
    part: plan.part,
    expected_amount: plan.amount,
    tip: tipAmountOf(plan),
  }) as const;

/** Releases the part immediately, so that others can pay it. If the server can't be reached, the reservation expires. */
export function cancelReservation({ calls }: Client, { bill_id: id, id: payment_id }: BillPayment): void {
  calls.cancelBillPayment({ id, payment_id }).catch((error: unknown) => {
    if (!(error instanceof CallFailure)) throw error;
  });
}
