import type { Client } from '@comanda/client';
import { expect, test } from '@jest/globals';
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

/** Payments of whoever is signed in, whose answer the test gives. */
function openPayments() {
  const answers = Promise.withResolvers<{ id: number }>();
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
  /** To the pad. */
  const reserve = async (billId: number): Promise<void> => {
    payments.begin(planOf(billId));
    await payments.enter();
  };
  const shown = () => {
    const { payment } = payments.kept.value ?? {};
    return { kind: payments.stage.value.kind, payment: payment?.id };
  };
  return { payments, reserve, shown, user, answers };
}

test('when a payment is answered after another user has begun one on this phone, then that one is not called paid', async () => {
  const { payments, reserve, shown, user, answers } = openPayments();
  await reserve(1);
  const paid = payments.confirm('739152');
  user.id = 2;
  await reserve(2);
  await payments.enter();
  const before = shown();

  answers.resolve({ id: 7 });
  await paid;
  const after = shown();
  payments.close();

  expect([before.payment, after]).toEqual([20, before]);
});

test('when a payment is answered, then it is paid', async () => {
  const { payments, reserve, shown, answers } = openPayments();
  await reserve(1);
  const paid = payments.confirm('739152');
  answers.resolve({ id: 7 });
  await paid;
  payments.close();
  expect(shown()).toEqual({ kind: 'ended', payment: 10 });
});
