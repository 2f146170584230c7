import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient, type Client } from '@comanda/client';
import { startFakeBank, type FakeBank } from '@comanda/local-stack/bank/fake-bank';
import { publicSignIns } from '@comanda/local-stack/demo-sign-ins';
import { managerCredentials } from '@comanda/testing/credentials';
import { startRestaurant } from '@comanda/testing/restaurant';
import type { Stack } from '@comanda/testing/stack';
import { createChance } from './chance.ts';
import { payWithoutBill } from './pay-by-pix.ts';
import { registerRegular, type OpenClient } from './regulars.ts';
import { settleBill } from './settle-bill.ts';

let bank: FakeBank;
let stack: Stack;
let url: string;
let staff: Client;
const opened: Client[] = [];
const open: OpenClient = (onConsent) => {
  const client = createClient({ url, ...(onConsent && { onConsent }) });
  opened.push(client);
  return client;
};
beforeAll(async () => {
  bank = await startFakeBank();
  stack = await startRestaurant('simulation-bill', { ...bank.settings, PIX_ASK_EVERY_S: '1' });
  url = stack.gatewayUrl;
  staff = open();
  await staff.signIn(managerCredentials);
});
afterAll(async () => {
  opened.forEach((client) => client.close());
  await stack?.close();
  await bank?.close();
});

test.each([1, 2, 3, 4, 5, 6])('party %s pays its bill to the cent and closes it', async (seed) => {
  const chance = createChance(seed);
  const items = ['Feijoada', 'Caipirinha', 'Pudim de leite'].map((name) => ({ name, quantity: chance.whole(1, 3) }));
  const { bill_id: id = null } = await staff.calls.placeOrder({ items });
  if (id === null) throw new Error('The order is on no bill.');
  const { signal } = new AbortController();

  await settleBill(
    { staff, manager: staff, regular: null, pix: null, chance, untilNextGuest: () => Promise.resolve(), signal },
    id,
  );

  const bill = await staff.calls.getBill({ id });
  expect(bill).toMatchObject({ status: 'closed', remaining: '0.00', paid: bill.total });
  expect(bill.payments.length).toBeGreaterThan(0);
});

test('a customer in the party pays the first share with their PIN', async () => {
  const regular = await registerRegular(open, 'Clara');
  const { table_token } = await staff.calls.putTable({ table: `d-${randomUUID().slice(0, 8)}` });
  await regular.client.takeSeat({ table_token });
  const { bill_id: id = null } = await regular.client.calls.placeOrder({ items: [{ name: 'Feijoada', quantity: 2 }] });
  if (id === null) throw new Error('The order is on no bill.');
  const manager = open(() => Promise.resolve({ transaction_password: publicSignIns.managerPin }));
  await manager.signIn(publicSignIns.manager);
  const { signal } = new AbortController();
  const chance = createChance(1);

  await settleBill({ staff, manager, regular, pix: null, chance, untilNextGuest: () => Promise.resolve(), signal }, id);

  const { status, payments } = await staff.calls.getBill({ id });
  expect(status).toBe('closed');
  expect(payments[0]).toMatchObject({ method: 'account', status: 'paid' });
});

test('a guest in the party pays by Pix at the bank', async () => {
  const { table_token } = await staff.calls.putTable({ table: `p-${randomUUID().slice(0, 8)}` });
  const phone = open();
  await phone.signInAsGuest({ table_token, name: 'Lia' });
  const { bill_id: id = null } = await phone.calls.placeOrder({ items: [{ name: 'Feijoada', quantity: 2 }] });
  if (id === null) throw new Error('The order is on no bill.');
  const chance = { ...createChance(1), happens: () => true };
  const untilNextGuest = (): Promise<void> => sleep(100);
  const { signal } = new AbortController();

  await settleBill({ staff, manager: staff, regular: null, pix: { phone, bank }, chance, untilNextGuest, signal }, id);

  const { status, payments } = await staff.calls.getBill({ id });
  expect(status).toBe('closed');
  expect(payments.filter(({ method }) => method === 'pix').map(({ pix }) => pix?.confirmed_by)).toContain('bank');
});

test('a Pix without a bill is given back, and another one waits in the list', async () => {
  const manager = open(() => Promise.resolve({ transaction_password: publicSignIns.managerPin }));
  await manager.signIn(publicSignIns.manager);
  // While a code is open, the bank is asked every second.
  const { bill_id: id = 0 } = await manager.calls.placeOrder({ items: [{ name: 'Feijoada', quantity: 1 }] });
  const { remaining } = await manager.calls.getBill({ id: id ?? 0 });
  const part = { rest: true } as const;
  const reserved = await manager.calls.payBill({ id: id ?? 0, method: 'pix', part, expected_amount: remaining });
  await manager.calls.createPixCharge({ payment_id: reserved.id, amount: reserved.total, currency: 'BRL' });
  const { signal } = new AbortController();
  const pass = (): Promise<void> => sleep(500);
  const attempt = (): Promise<boolean> => Promise.resolve(true);

  await payWithoutBill({ staff, manager, chance: createChance(1), pass, attempt, signal }, bank);

  const receipts = await manager.calls.listPixReceipts({});
  const states = receipts.map(({ amount, state }) => `${amount} ${state === 'unmatched' ? 'waits' : 'goes back'}`);
  expect(states).toEqual(expect.arrayContaining(['25.00 waits', '18.00 goes back']));
});
