import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient, type Client } from '@comanda/client';
import { managerCredentials } from '@comanda/testing/credentials';
import { useSharedStack } from '@comanda/testing/shared-stack';
import { createChance } from './chance.ts';
import { settleBill } from './settle-bill.ts';

let staff: Client;
beforeAll(async () => {
  const { gatewayUrl } = await useSharedStack();
  staff = createClient({ url: gatewayUrl });
  await staff.signIn(managerCredentials);
}, 120_000);
afterAll(() => staff?.close());

test.each([1, 2, 3, 4, 5, 6])('when party %s leaves, then its bill is paid to the cent and closed', async (seed) => {
  const chance = createChance(seed);
  const items = ['Feijoada', 'Caipirinha', 'Pudim de leite'].map((name) => ({ name, quantity: chance.whole(1, 3) }));
  const { bill_id: id = null } = await staff.calls.placeOrder({ items });
  if (id === null) throw new Error('The order is on no bill.');
  const { signal } = new AbortController();

  await settleBill({ staff, chance, untilNextGuest: () => Promise.resolve(), signal }, id);

  const bill = await staff.calls.getBill({ id });
  expect(bill).toMatchObject({ status: 'closed', remaining: '0.00', paid: bill.total });
  expect(bill.payments.length).toBeGreaterThan(0);
});
