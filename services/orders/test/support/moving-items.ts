import { randomUUID } from 'node:crypto';
import { created, type Called } from '@comanda/testing/call';
import type { OrdersHarness } from './harness.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
type Headers = Record<string, string>;

/** Creates helpers for guests' orders of beers and stew, whose items move to other tables. Bills have no service charge. */
export async function movingItems(harness: OrdersHarness) {
  const beer = await harness.createDish({ name: 'Beer', price: '10.00', portions_left: 1000, station: 'bar' });
  const stew = await harness.createDish({ name: 'Stew', price: '30.00' });
  await harness.manager('PUT', '/restaurant', { body: { service_charge: { rate: '0', optional: true } } });
  let lastSeating = 0;
  /** Places a guest's order for 3 beers and a stew at table 7, at a new seating. */
  const placed = async () => {
    const seating = ++lastSeating;
    const guest = harness.as({ sub: 5000 + seating, role: 'customer', name: 'Ana', table: '7', seating });
    const items = [
      { item_id: beer, quantity: 3, remarks: 'cold' },
      { item_id: stew, quantity: 1 },
    ];
    const request = { body: { items, allergies: 'nuts' }, headers: { 'Idempotency-Key': randomUUID() } };
    const order = created(await guest('POST', '/orders', request));
    const [beers, food] = order.items.map(({ id }: Json) => id) as [number, number];
    return { guest, request, order, id: order.id as number, bill: order.bill_id as number, seating, beers, food };
  };
  /** Moves items to table 9, unless `body` names another one. */
  const move = (id: number, body: object, headers: Headers = {}): Promise<Called> =>
    harness.waiter('POST', `/orders/${id}/move-items`, { body: { table: '9', ...body }, headers });
  const get = async (path: string, call = harness.waiter): Promise<Json> => (await call('GET', path)).body;
  const cancel = (id: number, item: number, fields: object = {}): Promise<Called> =>
    harness.waiter('PUT', `/orders/${id}/items/${item}`, { body: { status: 'cancelled', ...fields } });
  const pay = async (bill: number, part: object, expected_amount: string): Promise<Json> =>
    created(
      await harness.waiter('POST', `/bills/${bill}/payments`, { body: { method: 'cash', part, expected_amount } }),
    );
  return { beer, placed, move, get, cancel, pay };
}
