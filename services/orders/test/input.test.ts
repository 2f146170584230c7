import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
let dish: number;
let order: number;
let item: number;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-input');
  dish = await harness.createDish();
  const { body } = await harness.waiter('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] } });
  order = body.id;
  item = body.items[0].id;
});
afterAll(() => harness.close());

const line = (fields: object = {}) => ({ item_id: dish, quantity: 1, ...fields });
const lines = (count: number) => Array.from({ length: count }, () => line());
const same = (length: number) => 'é'.repeat(length);
/** Strings that often reveal bugs when they are stored or compared. */
const unusualStrings = [
  '🍲🇧🇷👩‍👩‍👧',
  'شاي بالنعناع',
  'Ṱ̺̺̕o͞ ̷i̲̬͇̪͙n̝̗͕v̟̜̘̦͟o̶̙̰̠kè͚̮̺̪̹̱̤',
  '"; DROP TABLE pedidos; --',
  '<script>alert(1)</script>',
  '${7*7} {{7*7}} %s %x',
  '$where',
  'a.b.$c',
  'undefined',
  'null',
  'NaN',
  '1e400',
  'C:\\con\\con',
  'ﷺ'.repeat(20),
];

describe("an order's body", () => {
  const accepted: [string, () => object][] = [
    ['1 item', () => ({ items: lines(1) })],
    ['50 items', () => ({ items: lines(50) })],
    ['quantity 1 and 99', () => ({ items: [line({ quantity: 1 }), line({ quantity: 99 })] })],
    ['remarks of 0 and 500', () => ({ items: [line({ remarks: '' }), line({ remarks: same(500) })] })],
    ['remarks over several lines', () => ({ items: [line({ remarks: 'a\nb\tc' })] })],
    ['allergies of 1 and 200', () => ({ items: lines(1), allergies: same(200) })],
    ['a table of 16', () => ({ items: lines(1), table: 'Ab-9'.repeat(4) })],
    ['a seating', () => ({ items: lines(1), seating: 1 })],
  ];
  test.each(accepted)('is accepted with %s', async (_what, body) => {
    const sent = body() as { items: object[] };
    const response = await harness.waiter('POST', '/orders', { body: sent });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject(sent);
  });

  const refused: [string, string, () => unknown][] = [
    ['no items', '/items', () => ({})],
    ['0 items', '/items', () => ({ items: [] })],
    ['51 items', '/items', () => ({ items: lines(51) })],
    ['quantity 0', '/items/0/quantity', () => ({ items: [line({ quantity: 0 })] })],
    ['quantity 100', '/items/0/quantity', () => ({ items: [line({ quantity: 100 })] })],
    ['quantity -1', '/items/0/quantity', () => ({ items: [line({ quantity: -1 })] })],
    ['quantity 1.5', '/items/0/quantity', () => ({ items: [line({ quantity: 1.5 })] })],
    ['quantity "1"', '/items/0/quantity', () => ({ items: [line({ quantity: '1' })] })],
    ['quantity null', '/items/0/quantity', () => ({ items: [line({ quantity: null })] })],
    ['quantity true', '/items/0/quantity', () => ({ items: [line({ quantity: true })] })],
    ['quantity [1]', '/items/0/quantity', () => ({ items: [line({ quantity: [1] })] })],
    ['remarks of 501', '/items/0/remarks', () => ({ items: [line({ remarks: same(501) })] })],
    ['a control character in remarks', '/items/0/remarks', () => ({ items: [line({ remarks: 'a\u0000b' })] })],
    ['a lone surrogate in remarks', '/items/0/remarks', () => ({ items: [line({ remarks: '\ud800' })] })],
    ['remarks 5', '/items/0/remarks', () => ({ items: [line({ remarks: 5 })] })],
    ['both id and name', '/items/0/item_id', () => ({ items: [line({ name: 'x' })] })],
    ['neither id nor name', '/items/0', () => ({ items: [{ quantity: 1 }] })],
    ['item_id 0', '/items/0/item_id', () => ({ items: [{ item_id: 0, quantity: 1 }] })],
    ['item_id 2^53', '/items/0/item_id', () => ({ items: [{ item_id: 2 ** 53, quantity: 1 }] })],
    ['an item_id that is a query', '/items/0/item_id', () => ({ items: [{ item_id: { $gt: 0 }, quantity: 1 }] })],
    ['a blank name', '/items/0/name', () => ({ items: [{ name: ' ', quantity: 1 }] })],
    ['a name of 256', '/items/0/name', () => ({ items: [{ name: same(256), quantity: 1 }] })],
    ['allergies of 201', '/allergies', () => ({ items: lines(1), allergies: same(201) })],
    ['blank allergies', '/allergies', () => ({ items: lines(1), allergies: '' })],
    ['allergies over lines', '/allergies', () => ({ items: lines(1), allergies: 'a\nb' })],
    ['a table of 17', '/table', () => ({ items: lines(1), table: 'a'.repeat(17) })],
    ['a table with a blank', '/table', () => ({ items: lines(1), table: 'a b' })],
    ['an empty table', '/table', () => ({ items: lines(1), table: '' })],
    ['table null', '/table', () => ({ items: lines(1), table: null })],
    ['seating 0', '/seating', () => ({ items: lines(1), seating: 0 })],
    ['an unknown key', '/price', () => ({ items: lines(1), price: '0.01' })],
    ['a status', '/status', () => ({ items: lines(1), status: 'delivered' })],
    ['a user', '/user_id', () => ({ items: lines(1), user_id: 1 })],
    ['a list as body', '', () => [lines(1)]],
    ['a string as body', '', () => 'order'],
    ['null as body', '', () => null],
  ];
  test.each(refused)('gets a 400 with %s, pointing to %j', async (_what, pointer, body) => {
    const response = await harness.waiter('POST', '/orders', { body: body() });
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
    expect(response.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
  });

  test.each([
    ['1e400', '{"items":[{"item_id":1,"quantity":1e400}]}', 'validation_failed'],
    ['a duplicate key', '{"items":[{"item_id":1,"quantity":1,"quantity":2}]}', 'malformed_json'],
    ['__proto__', '{"items":[{"item_id":1,"quantity":1,"__proto__":{"quantity":99}}]}', 'malformed_json'],
    ['a missing end', '{"items":[{"item_id":1', 'malformed_json'],
    ['no content', '', 'malformed_json'],
  ])('gets a 400 if it is malformed (%s)', async (_what, text, code) => {
    const response = await fetch(`${harness.url}/orders`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${harness.issuer.token({ sub: 5, role: 'customer' })}`,
      },
      body: text,
    });
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([400, code]);
  });

  test.each(unusualStrings)('is stored unchanged with %j as dish, notes and allergies', async (words) => {
    const name = `${words} ${Math.random()}`;
    const id = await harness.createDish({ name, description: words, category: words.slice(0, 64) });
    const body = { items: [{ name, quantity: 1, remarks: words }], allergies: words };
    const response = await harness.waiter('POST', '/orders', { body });
    expect(response.status).toBe(201);
    expect((await harness.waiter('GET', `/orders/${response.body.id}`)).body).toMatchObject({
      allergies: words,
      items: [{ item_id: id, name: name.trim(), remarks: words }],
    });
  });
});

describe("a dish's body", () => {
  const base = () => ({ name: `Dish ${Math.random()}`, price: '1.00' });
  const accepted: [string, object][] = [
    ['price 0', { price: '0' }],
    ['the highest price', { price: '99999999.99' }],
    ['price 0.5', { price: '0.5' }],
    ['a description of 2000', { description: same(2000) }],
    ['an image of this origin', { image_url: '/images/1.webp' }],
    ['an https image at port 65535', { image_url: 'https://h:65535/a.webp' }],
    ['an https image of 255', { image_url: `https://h/${'a'.repeat(245)}` }],
    [
      'all allergens',
      {
        allergens:
          'gluten crustaceans eggs fish peanuts soybeans milk nuts celery mustard sesame sulphites lupin molluscs'.split(
            ' ',
          ),
      },
    ],
    ['position 100000', { position: 100_000 }],
    ['portions 0 and 1000000', { portions_left: 1_000_000 }],
    ['a station of 32', { station: same(32) }],
    ['a kitchen name of 24', { kitchen_name: same(24) }],
    ['no kitchen name', { kitchen_name: null }],
    ['a translated name of 255', { name_translations: { en: same(255) } }],
    ['a translated description of 2000', { description_translations: { 'pt-BR': same(2000) } }],
    ['a translated category of 64', { category: same(64), category_translations: { en: same(64) } }],
  ];
  test.each(accepted)('is accepted with %s', async (_what, fields) => {
    const { status, body } = await harness.manager('POST', '/menu', { body: { ...base(), ...fields } });
    expect(status).toBe(201);
    const { price: _, ...kept } = fields as { price?: string };
    expect(body).toMatchObject(kept);
  });

  const refused: [string, object][] = [
    ['/name', { name: '' }],
    ['/name', { name: ' \t ' }],
    ['/name', { name: same(256) }],
    ['/name', { name: 'a\u0007' }],
    ['/price', { price: 1 }],
    ['/price', { price: '-1' }],
    ['/price', { price: '1.001' }],
    ['/price', { price: '01' }],
    ['/price', { price: '1,5' }],
    ['/price', { price: '1e3' }],
    ['/price', { price: '100000000' }],
    ['/price', { price: 'NaN' }],
    ['/price', { price: { $numberDecimal: '1' } }],
    ['/description', { description: same(2001) }],
    ['/image_url', { image_url: 'http://h/a' }],
    ['/image_url', { image_url: '//h/a' }],
    ['/image_url', { image_url: 'https://h:65536/a' }],
    ['/image_url', { image_url: 'https://h:123456/a' }],
    ['/image_url', { image_url: 'javascript:alert(1)' }],
    ['/image_url', { image_url: '/\\h' }],
    ['/image_url', { image_url: `https://h/${'a'.repeat(246)}` }],
    ['/category', { category: same(65) }],
    ['/position', { position: -1 }],
    ['/position', { position: 100_001 }],
    ['/station', { station: same(33) }],
    ['/station', { station: '' }],
    ['/allergens/0', { allergens: ['cheese'] }],
    ['/allergens/1', { allergens: ['milk', 'milk'] }],
    ['/available', { available: 'yes' }],
    ['/portions_left', { portions_left: -1 }],
    ['/portions_left', { portions_left: 1.5 }],
    ['/portions_left', { portions_left: 1_000_001 }],
    ['/name_translations', { name_translations: 'Soup' }],
    ['/name_translations', { name_translations: null }],
    ['/name_translations/en', { name_translations: { en: '' } }],
    ['/name_translations/en', { name_translations: { en: ' ' } }],
    ['/name_translations/en', { name_translations: { en: same(256) } }],
    ['/name_translations/pt-BR', { name_translations: { 'pt-BR': 'a\u0007' } }],
    ['/name_translations/fr', { name_translations: { fr: 'Soupe' } }],
    ['/description_translations/en', { description_translations: { en: same(2001) } }],
    ['/category_translations/en', { category: 'A', category_translations: { en: same(65) } }],
    ['/option_group_ids', { option_group_ids: Array.from({ length: 11 }, (_each, at) => at + 1) }],
    ['/option_group_ids/1', { option_group_ids: [1, 1] }],
    ['/option_group_ids', { option_group_ids: null }],
    ['/kitchen_name', { kitchen_name: same(25) }],
    ['/kitchen_name', { kitchen_name: ' ' }],
    ['/allergens_stated', { allergens_stated: 'yes' }],
    ['/currency', { currency: 'USD' }],
    ['/id', { id: 1 }],
    ['/version', { version: 1 }],
  ];
  test.each(refused)('gets a 400 that points to the invalid field %s', async (pointer, fields) => {
    for (const response of [
      await harness.manager('POST', '/menu', { body: { ...base(), ...fields } }),
      await harness.manager('PUT', `/menu/${dish}`, { body: fields }),
    ]) {
      expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
      const pointers = response.body.errors.map((error: { pointer: string }) => error.pointer);
      expect(pointers.some((each: string) => each === pointer)).toBe(true);
    }
  });
});

describe('requests with invalid input', () => {
  const refused: [string, string, () => string, unknown][] = [
    ['an unknown status', 'PUT', () => `/orders/${order}`, { status: 'cooking' }],
    ['no status', 'PUT', () => `/orders/${order}`, {}],
    ['a reason of 201', 'PUT', () => `/orders/${order}`, { status: 'ready', reason: same(201) }],
    ['a reason with a line end', 'PUT', () => `/orders/${order}/items/${item}`, { status: 'ready', reason: 'a\nb' }],
    ['an unknown key', 'PUT', () => `/orders/${order}/items/${item}`, { status: 'ready', force: true }],
    ['no table', 'PUT', () => `/orders/${order}/table`, { seating: 4 }],
    ['a table of 17', 'PUT', () => `/orders/${order}/table`, { table: 'a'.repeat(17) }],
    ['no orders', 'POST', () => '/orders/seen', { order_ids: [], device: 'a' }],
    [
      '201 orders',
      'POST',
      () => '/orders/seen',
      { order_ids: Array.from({ length: 201 }, (_, i) => i + 1), device: 'a' },
    ],
    ['a device of 65', 'POST', () => '/orders/seen', { order_ids: [1], device: same(65) }],
    ['no stations', 'POST', () => '/orders/seen', { order_ids: [1], device: 'a', stations: [] }],
    ['a station of 33', 'PUT', () => `/orders/${order}/allergies-read`, { stations: [same(33)] }],
    ['a station that is not a string', 'PUT', () => `/orders/${order}/allergies-read`, { stations: [7] }],
    ['an order id of 0', 'POST', () => '/orders/seen', { order_ids: [0], device: 'a' }],
    ['nothing to change', 'PUT', () => `/menu/${dish}`, {}],
    ['no availability', 'PUT', () => `/menu/${dish}/availability`, {}],
    ['a pause without a time zone', 'PUT', () => '/ordering', { paused_until: '2026-11-20T21:00:00' }],
    ['a reason of 201', 'PUT', () => '/ordering', { reason: same(201) }],
  ];
  test.each(refused)('get a 400 for %s (%s)', async (_what, ...[method, path, body]) => {
    const response = await harness.manager(method, path(), { body });
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
  });

  test.each(['0', '-1', '1.5', 'x', '9007199254740992', '1e3'])('get a 400 or 404 for the id %s', async (id) => {
    for (const path of [`/orders/${id}`, `/orders/${id}/history`, `/menu/${id}`])
      expect([400, 404]).toContain((await harness.manager('GET', path)).status);
  });

  test("get a 404 for another order's item", async () => {
    const other = await harness.waiter('POST', '/orders', { body: { items: [line()] } });
    const path = `/orders/${order}/items/${other.body.items[0].id}`;
    expect((await harness.waiter('PUT', path, { body: { status: 'preparing' } })).status).toBe(404);
  });
});
