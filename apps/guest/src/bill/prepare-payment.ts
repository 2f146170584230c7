import { CallFailure, type Client } from '@comanda/client';
import type { BillPayment } from '@comanda/contracts/bill-payments';
import { isMoreThan } from '../account/amount.ts';
import { readOwnAccounts } from '../account/read-own-accounts.ts';
import {
  tipAmountOf,
  totalOf,
  type KeptPayment,
  type OwnAccount,
  type PaymentInput,
  type PinPaymentState,
} from './pin-payment-state.ts';

type Deps = { client: Client; state: PinPaymentState; /** The part is reserved. */ onReserved: () => void };

/**
 * What comes before the PIN: there is one, and it is not blocked; an account with enough money; the reservation of the part.
 * What is missing is shown, and the payer goes on from there.
 */
export function createPreparation({ client, state, onReserved }: Deps) {
  const { calls } = client;
  const { stage, kept, change } = state;

  /** From the start: PIN, account, reservation. */
  async function prepare(): Promise<void> {
    const payerId = client.who()?.userId;
    if (!kept.value || payerId === undefined) return;
    change({ payerId });
    stage.value = { kind: 'preparing' };
    await showFailure(state, async (isHere) => {
      const { status, blocked_until: until = null } = await calls.transactionPassword();
      if (!isHere()) return;
      if (status === 'blocked') {
        stage.value = { kind: 'blocked', until };
        return;
      }
      const own = await readOwnAccounts(client, payerId);
      if (!isHere()) return;
      const accounts = own.filter(({ currency }) => currency === kept.value?.plan.currency);
      // Nobody chooses a PIN to be told afterwards that there is not enough money.
      const lacksMoney = accounts.length > 0 && ableOf(accounts, kept.value?.plan).length === 0;
      if (status === 'absent' && !lacksMoney) stage.value = { kind: 'no_pin' };
      else await chooseAmong(accounts);
    });
  }
  async function chooseAmong(accounts: readonly OwnAccount[]): Promise<void> {
    if (!kept.value) return;
    const { accountId, plan } = kept.value;
    const able = ableOf(accounts, plan);
    const chosen = able.find(({ id }) => id === accountId) ?? (able.length === 1 ? able[0] : undefined);
    if (chosen) await reserve(chosen.id);
    else if (accounts.length === 0) stage.value = { kind: 'no_account' };
    else if (able.length === 0) stage.value = { kind: 'no_money', opened: null };
    else stage.value = { kind: 'choose_account', accounts: able };
  }
  async function reserve(accountId: number): Promise<void> {
    change({ accountId });
    if (!kept.value) return;
    const isHere = watchLeaving(state);
    const { plan, reserveKey } = kept.value;
    const { billId: id, part, amount } = plan;
    const input = { id, method: 'account', part, expected_amount: amount, tip: tipAmountOf(plan) } as const;
    try {
      const payment = await calls.payBill(input, { idempotencyKey: reserveKey });
      if (!isHere()) return giveUpReservation(client, payment);
      change({ payment });
      onReserved();
    } catch (error) {
      if (!(error instanceof CallFailure && error.is('bill_changed'))) throw error;
      if (!isHere()) return;
      const changed = { ...plan, amount: error.problem.amount };
      change({ plan: changed, reserveKey: client.newKey() });
      stage.value = { kind: 'changed', before: totalOf(plan), now: totalOf(changed) };
    }
  }
  return {
    prepare,
    /** From one of several accounts. */
    payFrom: async (accountId: number): Promise<void> => {
      stage.value = { kind: 'preparing' };
      await showFailure(state, () => reserve(accountId));
    },
    /** @throws CallFailure */
    openAccount: async (): Promise<void> => {
      if (!kept.value) return;
      const isHere = watchLeaving(state);
      const { currency } = kept.value.plan;
      const opened = await calls.openAccount({ currency: currency as PaymentInput['currency'] });
      if (isHere() && stage.value.kind === 'no_account') stage.value = { kind: 'no_money', opened };
    },
  };
}

/** Those with enough money. */
const ableOf = (accounts: readonly OwnAccount[], plan: KeptPayment['plan'] | undefined): OwnAccount[] =>
  accounts.filter(({ balance }) => !isMoreThan(plan ? totalOf(plan) : '0', balance));

/** What fails before the PIN has taken nothing. */
async function showFailure(state: PinPaymentState, step: (isHere: () => boolean) => Promise<void>): Promise<void> {
  const isHere = watchLeaving(state);
  try {
    await step(isHere);
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure;
    if (isHere()) state.stage.value = { kind: 'not_reserved', failure };
  }
}

/** Tells whether an answer still concerns this payment. A page that is left gives it up: the next one has another key. */
function watchLeaving({ kept }: PinPaymentState): () => boolean {
  const reserveKey = kept.value?.reserveKey;
  return () => kept.value?.reserveKey === reserveKey;
}

/** The part is free for others at once. If the server cannot be reached, its time ends it. */
export function giveUpReservation({ calls }: Client, { bill_id: id, id: payment_id }: BillPayment): void {
  calls.cancelBillPayment({ id, payment_id }).catch((error: unknown) => {
    if (!(error instanceof CallFailure)) throw error;
  });
}
