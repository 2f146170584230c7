import type { Client } from '@comanda/client/core';
import { expect, test } from '@jest/globals';
import { deferred } from '@comanda/testing/deferred';
import { signal } from '@preact/signals';
import { openPinPayment } from './pin-payment.ts';
import type { Plan } from './pin-payment-state.ts';

const account = { id: 3, currency: 'BRL', balance: '100.00' };
const planOf = (billId: number): Plan => ({
  billId,
  table: '12',
  currency: 'BRL',
  part: { rest: true },
  amount: '30.00',
  tip: null,
});

/** Waits until all pending promise callbacks have run. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Opens the payments of a signed-in user. The test provides the server's responses. */
function openPayments() {
  const answers = deferred<{ id: number }>();
  const user = { id: 1 };
  let keys = 0;
  const calls = {
    transactionPassword: () => Promise.resolve({ status: 'usable' }),
    payBill: ({ id }: { id: number }) =>
      Promise.resolve({ id: id * 10, bill_id: id, total: '30.00', status: 'reserved' }),
    payBillFromAccount: () => answers.promise,
    cancelBillPayment: () => Promise.resolve({}),
  };
  const client = {
    calls,
    who: () => ({ userId: user.id }),
    newKey: () => `key ${++keys}`,
    now: Date.now,
    pages: async function* () {
      yield await Promise.resolve([account]);
    },
  } as unknown as Client;
  const payments = openPinPayment({ client, bills: signal([]) });
  /** Reserves the part, which opens the PIN pad. */
  const reserve = async (billId: number): Promise<void> => {
    payments.begin(planOf(billId));
    await payments.open();
  };
  const shown = () => {
    const { payment } = payments.kept.value ?? {};
    return { kind: payments.stage.value.kind, payment: payment?.id };
  };
  return { payments, reserve, shown, user, answers };
}

test('a payment is not shown as paid when the response to another user’s earlier payment arrives', async () => {
  const { payments, reserve, shown, user, answers } = openPayments();
  await reserve(1);
  payments.enter('739152');
  user.id = 2;
  await reserve(2);
  await payments.open();
  const before = shown();

  answers.resolve({ id: 7 });
  await settle();
  const after = shown();
  payments.close();

  expect([before.payment, after]).toEqual([20, before]);
});

test('a payment ends as paid with its response', async () => {
  const { payments, reserve, shown, answers } = openPayments();
  await reserve(1);
  payments.enter('739152');
  answers.resolve({ id: 7 });
  await settle();
  payments.close();
  expect(shown()).toEqual({ kind: 'ended', payment: 10 });
});
