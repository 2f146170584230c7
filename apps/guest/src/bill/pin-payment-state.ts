import type { Answer, CallFailure, Input } from '@comanda/client/core';
import type { BillPart, BillPayment } from '@comanda/contracts/bill-payments';
import { tipOf, withTip, type TipChoice } from '@comanda/ui/bill/tip-choice.ts';
import type { PinHint } from '@comanda/ui/pin-call.ts';
import { hasKeys, stored } from '@comanda/ui/stored-setting.ts';
import { signal } from '@preact/signals';

export type OwnAccount = Answer<'listAccounts'>[number];
export type Transfer = Answer<'getTransfer'>;
export type PaymentInput = Input<'payBillFromAccount'>;

/** What a guest wants to pay, as it was chosen on the page before. */
export type Plan = {
  billId: number;
  table: string | null;
  currency: string;
  part: BillPart;
  /** What the part costs, without the tip, as the guest has seen it. */
  amount: string;
  tip: TipChoice;
};
/** What stays on this device of a payment that has no end yet: after a reload it goes on, and is never made twice. */
export type KeptPayment = {
  plan: Plan;
  /** Who pays. Null until somebody with an account is here. */
  payerId: number | null;
  /** The idempotency key of the reservation. */
  reserveKey: string;
  accountId: number | null;
  /** The reserved one. */
  payment: BillPayment | null;
  /** The idempotency key of the payment itself, since its PIN was first entered. */
  payKey: string | null;
  /** A call with the PIN's consent may be on its way: it is asked about until the server has answered. */
  isSent: boolean;
  /** By this device's clock. */
  at: number;
};
const storedPayment = stored<KeptPayment | null>(
  'bill-payment',
  hasKeys<KeptPayment>('plan', 'payerId', 'reserveKey', 'accountId', 'payment', 'payKey', 'isSent', 'at'),
  null,
);
/** A plan that nobody has paid is forgotten: the table has gone home. */
const plannedForMs = 15 * 60_000;

/** How a payment has ended. Only `paid` has taken money. */
export type Ending =
  | { outcome: 'paid'; payment: BillPayment | null; transfer: Transfer | null }
  | { outcome: 'failed' | 'expired' | 'cancelled'; failure: CallFailure | null };
/** What is missing before the PIN, or how the payment ended. */
export type Step =
  /** The PIN's state and the accounts are loaded, then the share is reserved. */
  | { kind: 'preparing' }
  | { kind: 'no_pin' }
  | { kind: 'blocked'; until: string | null }
  /** `opened` is an account that the user has just opened. */
  | { kind: 'no_money'; opened: OwnAccount | null }
  | { kind: 'no_account' }
  | { kind: 'choose_account'; accounts: readonly OwnAccount[] }
  /** The share costs something else than the guest has seen. */
  | { kind: 'changed'; before: string; now: string }
  | { kind: 'not_reserved'; failure: CallFailure }
  | ({ kind: 'ended' } & Ending);
/** `asking`: the PIN was sent, and nobody knows the result yet. */
export type Stage =
  | Step
  | { kind: 'pin'; hint: PinHint | null }
  | { kind: 'asking'; isLate: boolean; isClaimed: boolean };

/** The payment that this device has stored. */
export function openKeptPayment() {
  const before = storedPayment.get();
  const isUsable = before !== null && (before.isSent || Math.abs(Date.now() - before.at) < plannedForMs);
  /** Null: nobody pays with a PIN now. */
  const kept = signal<KeptPayment | null>(isUsable ? before : null);
  function keep(next: KeptPayment | null): void {
    kept.value = next;
    storedPayment.write(next);
  }
  return {
    kept,
    keep,
    change: (part: Partial<KeptPayment>): void => {
      if (kept.value) keep({ ...kept.value, ...part });
    },
    /** The device forgets the payment, and the page continues to show how it ended. */
    forget: (): void => storedPayment.write(null),
  };
}

/** What the plan costs, with the tip. */
export const totalOf = ({ amount, tip }: Pick<Plan, 'amount' | 'tip'>): string =>
  withTip({ amount, tip: tipAmountOf({ amount, tip }) });
export const tipAmountOf = ({ amount, tip }: Pick<Plan, 'amount' | 'tip'>): string => tipOf(tip, amount) ?? '0.00';

/** What `POST /accounts/bill-payments` takes: the same for every attempt. */
export function paymentInputOf({ payment, accountId, plan }: KeptPayment): PaymentInput | null {
  if (!payment || accountId === null) return null;
  return {
    payment_id: payment.id,
    from_account_id: accountId,
    amount: payment.total,
    currency: plan.currency as PaymentInput['currency'],
  };
}
