import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CloudEvent } from '@comanda/contracts/event-data';
import { menuImport } from '@comanda/contracts/rules';
import { canonicalDigest } from '@comanda/shared/crypto/canonical-digest';
import { codeOf, created } from '@comanda/testing/call';
import { patient } from '@comanda/testing/patient';
import { until } from '@comanda/testing/until';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-import-menu');
});
beforeEach(async () => {
  await harness.db.collection('itensMenu').deleteMany({});
});
afterAll(() => harness.close());

type Row = { name: string } & Record<string, unknown>;
const importing = (dishes: readonly Row[], { sha256 = canonicalDigest(dishes), call = harness.manager } = {}) =>
  call('PUT', '/menu/import', { body: { dishes, sha256 } });
const readMenu = async (): Promise<Row[]> => (await harness.manager('GET', '/menu')).body;
const newGroup = async (options: object[]): Promise<number> =>
  created(await harness.manager('POST', '/option-groups', { body: { name: 'Ponto', min: 0, max: 1, options } })).id;
const marta = { id: 900_001, name: 'Marta', role: 'manager' };

describe('a menu import', () => {
  test('adds and changes dishes in one call, and leaves the others unchanged', async () => {
    await harness.createDish({ name: 'Feijoada', price: '32.50', description: 'Com laranja', category: 'Pratos' });
    const other = await harness.createDish({ name: 'Moqueca', price: '58.00' });

    const { status, body } = await importing([
      { name: 'FEIJOADA', price: '34.00' },
      { name: 'Suco', price: '9', category: 'Bebidas', name_translations: { en: 'Juice' } },
      { name: 'Moqueca' },
    ]);

    expect([status, body]).toEqual([200, { added: 1, changed: 1, unchanged: 1 }]);
    expect(await readMenu()).toMatchObject([
      { name: 'Suco', price: '9.00', category: 'Bebidas', name_translations: { en: 'Juice' }, version: 1 },
      { name: 'FEIJOADA', price: '34.00', description: 'Com laranja', category: 'Pratos', version: 2 },
      { id: other, name: 'Moqueca', version: 1 },
    ]);
  });

  test('changes nothing when it is repeated', async () => {
    const rows = [{ name: 'Pastel', price: '8.00' }];
    await importing(rows);
    const before = await readMenu();

    expect((await importing(rows)).body).toEqual({ added: 0, changed: 0, unchanged: 1 });
    expect(await readMenu()).toEqual(before);
  });

  test('publishes and records each dish that it changes', async () => {
    const id = await harness.createDish({ name: 'Caldo', price: '12.00' });
    await importing([
      { name: 'Caldo', price: '13.00' },
      { name: 'Bolo', price: '15.00' },
    ]);

    const menu = await readMenu();
    const bolo = menu.find(({ name }) => name === 'Bolo');
    for (const dish of menu) {
      const events = await harness.events.waitFor('menu.item_changed', Number(dish['id']), dish['id'] === id ? 2 : 1);
      expect((events.at(-1) as CloudEvent<'menu.item_changed'>).data.item).toEqual({ ...dish, deleted: false });
    }
    const { body: changes } = await harness.manager('GET', '/menu-changes?limit=2');
    expect(changes).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'dish_changed', actor: marta, item_id: id, after: { price: '13.00' } }),
        expect.objectContaining({ type: 'dish_added', actor: marta, item_id: bolo?.['id'] }),
      ]),
    );
  });

  test('succeeds as a whole if two managers import the same dishes at the same time', async () => {
    const rows = Array.from({ length: 20 }, (_, at) => ({ name: `Raced ${at}`, price: '1.00' }));
    const call = patient(harness.manager);

    const responses = await Promise.all([importing(rows, { call }), importing(rows, { call })]);

    expect(responses.map(({ body }) => body).toSorted((a, b) => b.added - a.added)).toEqual([
      { added: 20, changed: 0, unchanged: 0 },
      { added: 0, changed: 0, unchanged: 20 },
    ]);
    const menu = await readMenu();
    expect(new Set(menu.map(({ id }) => id)).size).toBe(20);
  });

  test('sets option groups, kitchen names, pricing and whether allergens are stated', async () => {
    const group = await newGroup([{ name: 'Bem passada', price: '0' }]);
    const row = { kitchen_name: 'PARGO', pricing: 'per_kg', allergens_stated: true, option_group_ids: [group] };

    await importing([{ name: 'Pargo', price: '139.00', ...row }]);

    expect(await readMenu()).toMatchObject([{ name: 'Pargo', ...row }]);
  });

  test('checks option groups and components before it writes', async () => {
    const cola = await harness.createDish({ name: 'Cola', price: '8.00' });
    await newGroup([{ name: 'Cola', price: '0', item_id: cola }]);

    const { status, body } = await importing([
      { name: 'Cola', pricing: 'open' },
      { name: 'Pizza', price: '1.00', option_group_ids: [888_888] },
      { name: 'Vinho', price: '1.00', pricing: 'open' },
    ]);

    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect([status, pointers]).toEqual([422, ['/dishes/0/pricing', '/dishes/1/option_group_ids/0']]);
    expect(await readMenu()).toMatchObject([{ name: 'Cola', pricing: 'fixed' }]);
  });

  test.each<[string, Row[], string]>([
    ['a new dish has no price', [{ name: 'Good', price: '1' }, { name: 'New' }], '422 /dishes/1/price'],
    [
      'a name occurs twice',
      [
        { name: 'One', price: '1' },
        { name: ' ONE', price: '2' },
      ],
      '422 /dishes/1/name',
    ],
    [
      'a picture is not stored',
      [{ name: 'Good', price: '1', image_url: `/menu-pictures/${'0'.repeat(64)}` }],
      '422 /dishes/0/image_url',
    ],
    [
      'fields are invalid',
      [
        { name: 'Good', price: '1,50' },
        { name: 'Other', allergens: ['air'] },
      ],
      '400 /dishes/0/price /dishes/1/allergens/0',
    ],
    ['it has no rows', [], '400 /dishes'],
  ])('writes nothing if %s, and points to each error', async (_what, rows, refusal) => {
    await harness.createDish({ name: 'Stays' });
    const before = await readMenu();

    const { status, body } = await importing(rows);

    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect([status, ...pointers].join(' ')).toBe(refusal);
    expect(await readMenu()).toEqual(before);
  });

  test('gets a 422 if its digest belongs to other rows', async () => {
    const response = await importing([{ name: 'Suco', price: '9' }], { sha256: canonicalDigest([]) });

    expect([codeOf(response), response.body.errors[0].pointer]).toEqual(['422 unprocessable_content', '/sha256']);
    expect(await readMenu()).toEqual([]);
  });

  test('succeeds with all events and records at the maximum size', async () => {
    const rows = Array.from({ length: menuImport.maxDishes }, (_, at) => ({
      name: `Prato ${at}`,
      price: '10.00',
      description: 'á'.repeat(600),
      category: `Categoria ${at % 12}`,
      category_translations: { en: `Category ${at % 12}` },
    }));

    expect((await importing(rows)).body).toEqual({ added: 500, changed: 0, unchanged: 0 });
    expect((await importing(rows.map((row) => ({ ...row, price: '11.00' })))).body).toMatchObject({ changed: 500 });

    const [dish] = await readMenu();
    expect(dish).toMatchObject({ price: '11.00', version: 2 });
    const prices = () =>
      harness.events.of('menu.item_changed').filter(({ data }) => JSON.stringify(data).includes('"price":"11.00"'));
    await until(() => prices().length === 500, { what: 'the events of all dishes' });
    expect(await harness.db.collection('menu_changes').countDocuments({ 'after.price': '11.00' })).toBe(500);
  });

  test('is allowed only for managers', async () => {
    const response = await importing([{ name: 'Suco', price: '9' }], { call: harness.waiter });

    expect(codeOf(response)).toBe('403 forbidden');
  });
});
