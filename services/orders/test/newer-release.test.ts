import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeOf, created } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-newer-release');
});
afterAll(() => harness.close());

const fromNewerRelease = { future_field: { any: 1 } };

/** Adds an unknown field to every document and item, as a newer release might. */
async function extendEveryDocument(): Promise<void> {
  const names = (await harness.db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
  for (const name of names) await harness.db.collection(name).updateMany({}, { $set: fromNewerRelease });
  await harness.db.collection('pedidos').updateMany({}, { $set: { 'itens.$[].future_field': { any: 1 } } });
}

test('fields from a newer release are kept when this release changes a document', async () => {
  const ana = harness.as({ sub: 5, role: 'customer', table: '12', seating: 88 });
  const dish = await harness.createDish({ portions_left: 10 });
  const body = { items: [{ item_id: dish, quantity: 1 }] };
  const ponto = { name: 'Ponto', min: 0, max: 1, options: [{ name: 'Ao ponto', price: '0' }] };
  const group = created(await harness.manager('POST', '/option-groups', { body: ponto }));
  const earlier = created(await ana('POST', '/orders', { body }));
  await extendEveryDocument();

  const responses = [
    await harness.waiter('PUT', `/orders/${earlier.id}`, { body: { status: 'preparing' } }),
    await ana('POST', '/orders', { body }),
    await harness.manager('PUT', `/menu/${dish}/availability`, { body: { available: true, portions_left: 5 } }),
    await harness.waiter('GET', '/orders'),
    await harness.waiter('GET', `/orders/${earlier.id}/history`),
    await harness.waiter('GET', `/bills/${earlier.bill_id}`),
    await ana('GET', '/menu'),
    await harness.manager('PUT', `/option-groups/${group.id}`, { body: { max: 2 } }),
    await ana('GET', '/option-groups'),
  ];

  expect(responses.map(codeOf)).toEqual(['200', '201', '200', '200', '200', '200', '200', '200', '200']);
  const stored = await harness.db.collection('pedidos').findOne({ pedidoID: earlier.id });
  expect(stored).toMatchObject({ ...fromNewerRelease, status: 'preparing', itens: [fromNewerRelease] });
  const storedGroup = await harness.db.collection<{ _id: number }>('option_groups').findOne({ _id: group.id });
  expect(storedGroup).toMatchObject({ ...fromNewerRelease, max: 2 });
  const events = await harness.events.waitFor('order.status_changed', earlier.id);
  expect(JSON.stringify([responses, events])).not.toContain('future_field');
});
