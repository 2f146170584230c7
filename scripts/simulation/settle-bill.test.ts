import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient, type Client } from '@comanda/client';
import { publicSignIns } from '@comanda/local-stack/demo-sign-ins';
import { managerCredentials } from '@comanda/testing/credentials';
import { startRestaurant } from '@comanda/testing/restaurant';
import type { Stack } from '@comanda/testing/stack';
import { createChance } from './chance.ts';
import { registerRegular, type OpenClient } from './regulars.ts';
import { settleBill } from './settle-bill.ts';

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
  stack = await startRestaurant('simulation-bill');
  url = stack.gatewayUrl;
  staff = open();
  await staff.signIn(managerCredentials);
});
afterAll(async () => {
  opened.forEach((client) => client.close());
  await stack?.close();
});

test.each([1, 2, 3, 4, 5, 6])('party %s pays its bill to the cent and closes it', async (seed) => {
  const chance = createChance(seed);
  const items = ['Feijoada', 'Caipirinha', 'Pudim de leite'].map((name) => ({ name, quantity: chance.whole(1, 3) }));
  const { bill_id: id = null } = await staff.calls.placeOrder({ items });
  if (id === null) throw new Error('The order is on no bill.');
  const { signal } = new AbortController();

  await settleBill(
    { staff, manager: staff, regular: null, chance, untilNextGuest: () => Promise.resolve(), signal },
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

  await settleBill({ staff, manager, regular, chance, untilNextGuest: () => Promise.resolve(), signal }, id);

  const { status, payments } = await staff.calls.getBill({ id });
  expect(status).toBe('closed');
  expect(payments[0]).toMatchObject({ method: 'account', status: 'paid' });
});
