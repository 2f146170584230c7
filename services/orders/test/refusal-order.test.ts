import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeOf, created } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';
import { optionMenus } from './support/option-menus.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-refusal-order', { settings: { CUSTOMER_ORDERS: 'seated' } });
});
afterAll(() => harness.close());

const seat = { table: '7', open: 71, full: 72, closed: 73 };
const guestAt = (seating?: number) =>
  harness.as({ sub: 6, role: 'customer', name: 'Gil', ...(seating !== undefined && { table: seat.table, seating }) });
const pause = (body: object) => harness.manager('PUT', '/ordering', { body });

/** The faults of an order, in the order in which they are rejected, and the code for each. */
const faults = [
  ['no seat', '403 table_code_required'],
  ['a price', '403 forbidden'],
  ['another table', '403 table_mismatch'],
  ['a used key', '422 idempotency_key_reused'],
  ['a closed seating', '409 seating_closed'],
  ['a pause', '503 ordering_paused'],
  ['an unknown dish', '422 menu_item_unknown'],
  ['201 options', '422 unprocessable_content'],
  ['an unknown option', '422 options_invalid'],
  ['301 items', '422 unprocessable_content'],
  ['a sold-out dish', '409 menu_item_unavailable'],
  ['a full seating', '429 seating_full'],
] as const;
type Fault = (typeof faults)[number][0];

/** Adds dishes, and returns what places an order with these faults. */
async function faultyOrders() {
  const menus = optionMenus(harness);
  const dish = await harness.createDish();
  const soldOut = await harness.createDish({ available: false });
  const extras = await menus.newGroup([{ name: 'Bacon', price: '1.00' }]);
  const steak = await harness.createDish({ option_group_ids: [extras.id] });
  const drinks = await menus.newGroup([{ name: 'Cola', price: '0.00', item_id: dish }], { min: 1 });
  const combo = await harness.createDish({ option_group_ids: [drinks.id] });
  const combos = (quantity: number) => ({ item_id: combo, quantity, options: [{ id: drinks.options[0].id }] });
  const extra = { id: extras.options[0].id };
  const steakWith = (options: object[]) => ({ item_id: steak, quantity: 1, options });
  created(
    await harness.waiter('POST', '/orders', { body: { items: [combos(50)], table: seat.table, seating: seat.full } }),
  );
  return async (present: ReadonlySet<Fault>) => {
    const has = (fault: Fault): boolean => present.has(fault);
    const items = [
      { item_id: dish, quantity: 1, ...(has('a price') && { unit_price: '0.01' }) },
      ...(has('an unknown dish') ? [{ item_id: 987_654, quantity: 1 }] : []),
      ...(has('201 options')
        ? [41, 40, 40, 40, 40].map((count) => steakWith(Array.from({ length: count }, () => extra)))
        : []),
      ...(has('an unknown option') ? [steakWith([{ id: 987_654 }])] : []),
      ...(has('301 items') ? [combos(75), combos(75)] : []),
      ...(has('a sold-out dish') ? [{ item_id: soldOut, quantity: 1 }] : []),
    ];
    const seating = has('a closed seating') ? seat.closed : has('a full seating') ? seat.full : seat.open;
    const key = has('a used key') ? 'used' : `new-${present.size}`;
    await pause(has('a pause') ? { paused_until: new Date(Date.now() + 3_600_000).toISOString() } : {});
    return guestAt(has('no seat') ? undefined : seating)('POST', '/orders', {
      body: { items, ...(has('another table') && { table: '8' }) },
      headers: { 'idempotency-key': key },
    });
  };
}

test('an order is rejected for its first fault, in the order of the contract', async () => {
  const place = await faultyOrders();
  const first = await guestAt(seat.closed)('POST', '/orders', {
    body: { items: [{ item_id: await harness.createDish(), quantity: 1 }] },
    headers: { 'idempotency-key': 'used' },
  });
  created(first);
  await harness.manager('POST', '/internal/ended-seatings', { body: { seating: seat.closed, table: seat.table } });

  const codes: string[] = [];
  for (let at = 0; at <= faults.length; at++) {
    const response = await place(new Set(faults.slice(at).map(([fault]) => fault)));
    codes.push(codeOf(response));
  }
  expect(codes).toEqual([...faults.map(([, code]) => code), '201']);
});

test('an order is repeated even if its seating is closed, ordering is paused and its dish is sold out', async () => {
  const dish = await harness.createDish();
  const repeat = () =>
    guestAt(74)('POST', '/orders', {
      body: { items: [{ item_id: dish, quantity: 1 }] },
      headers: { 'idempotency-key': 'repeated' },
    });
  const placed = created(await repeat());
  await harness.waiter('PUT', `/menu/${dish}/availability`, { body: { available: false } });
  await pause({ paused_until: new Date(Date.now() + 3_600_000).toISOString() });
  await harness.manager('POST', '/internal/ended-seatings', { body: { seating: 74, table: seat.table } });

  const again = await repeat();
  await pause({});
  expect([again.body, again.headers.get('idempotent-replayed')]).toEqual([placed, 'true']);
});
