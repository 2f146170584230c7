import type { Answer, CallFailure, Input } from '@comanda/client/core';
import type { BillPart, BillPayment } from '@comanda/contracts/bill-payments';
import { tipOf, withTip, type TipChoice } from '@comanda/ui/bill/tip-choice.ts';
import type { PinHint } from '@comanda/ui/pin-call.ts';
import { signal } from '@preact/signals';
import { onDeviceLater } from '../on-device-later.ts';

export type OwnAccount = Answer<'listAccounts'>[number];
export type Transfer = Answer<'getTransfer'>;
export type PaymentInput = Input<'payBillFromAccount'>;

/** The payment that a guest has selected on the previous page. */
export type Plan = {
  billId: number;
  table: string | null;
  currency: string;
  part: BillPart;
  /** The part's price without the tip, as the guest saw it. */
  amount: string;
  tip: TipChoice;
};
/** A payment without an outcome, as stored on this device. It continues after a reload, and is never made twice. */
export type KeptPayment = {
  plan: Plan;
  /** The paying user's id; null until a customer with an account has signed in. */
  payerId: number | null;
  /** The reservation's idempotency key. */
  reserveKey: string;
  accountId: number | null;
  /** The reserved payment; null until the part is reserved. */
  payment: BillPayment | null;
  /** The payment's idempotency key, created when the PIN is first requested; null before. */
  payKey: string | null;
  /**
   * True if the payment was sent with the PIN, and the server may have received it. The page asks about it until there is a
   * response.
   */
  isSent: boolean;
  /** When the plan was made, in milliseconds, by this device's clock. */
  at: number;
};
/** After 15 minutes, an unpaid plan is forgotten, because the guests may have left. */
const plannedForMs = 15 * 60_000;

/** How a payment has ended. Money has moved only if the outcome is `paid`. */
export type Ending =
  | { outcome: 'paid'; payment: BillPayment | null; transfer: Transfer | null }
  | { outcome: 'failed' | 'expired' | 'cancelled'; failure: CallFailure | null };
/** What is missing before the PIN can be entered, or how the payment ended. */
export type Step =
  /** The PIN's state and the accounts are being loaded; afterwards, the part is reserved. */
  | { kind: 'preparing' }
  | { kind: 'no_pin' }
  | { kind: 'blocked'; until: string | null }
  | { kind: 'no_money' }
  | { kind: 'no_account' }
  | { kind: 'choose_account'; accounts: readonly OwnAccount[] }
  /** The part's price is no longer the one that the guest saw. */
  | { kind: 'changed'; before: string; now: string }
  | { kind: 'not_reserved'; failure: CallFailure }
  | ({ kind: 'ended' } & Ending);
/** `asking`: the PIN was sent, but the outcome isn't known yet. */
export type Stage =
  | Step
  | { kind: 'pin'; hint: PinHint | null }
  | { kind: 'asking'; isLate: boolean; isClaimed: boolean };

/** The payment that this device has stored. */
export function openKeptPayment() {
  const before = onDeviceLater.payment.get();
  const isUsable = before !== null && (before.isSent || Math.abs(Date.now() - before.at) < plannedForMs);
  /** The stored payment; null if there is none. */
  const kept = signal<KeptPayment | null>(isUsable ? before : null);
  function keep(next: KeptPayment | null): void {
    kept.value = next;
    onDeviceLater.payment.write(next);
  }
  return {
    kept,
    keep,
    change: (part: Partial<KeptPayment>): void => {
      if (kept.value) keep({ ...kept.value, ...part });
    },
    /** Removes the payment from the device, but the page still shows how it ended. */
    forget: (): void => onDeviceLater.payment.write(null),
  };
}

/** Returns the plan's price including the tip. */
export const totalOf = ({ amount, tip }: Pick<Plan, 'amount' | 'tip'>): string =>
  withTip({ amount, tip: tipAmountOf({ amount, tip }) });
export const tipAmountOf = ({ amount, tip }: Pick<Plan, 'amount' | 'tip'>): string => tipOf(tip, amount) ?? '0.00';

/** Returns the input for `POST /accounts/bill-payments`, which is the same for every attempt; null until the part is reserved. */
export function paymentInputOf({ payment, accountId, plan }: KeptPayment): PaymentInput | null {
  if (!payment || accountId === null) return null;
  return {
    payment_id: payment.id,
    from_account_id: accountId,
    amount: payment.total,
    currency: plan.currency as PaymentInput['currency'],
  };
}
