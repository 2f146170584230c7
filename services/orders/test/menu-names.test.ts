import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeOf, created } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('menu-names');
});
afterAll(() => harness.close());

const add = (dish: { name: string; category?: string; station?: string; category_translations?: { en: string } }) =>
  harness.manager('POST', '/menu', { body: { price: '10.00', ...dish } });
const change = (id: number, body: object) => harness.manager('PUT', `/menu/${id}`, { body });
const read = async (id: number) => (await harness.manager('GET', `/menu/${id}`)).body;

test.each(['FEIJOADA', 'Fei\u00adjoada', ' Feijoada\u00a0', 'Ｆeijoada'])(
  "a second dish called %j is rejected because its name looks like another one's",
  async (name) => {
    await add({ name: 'Feijoada' });
    expect(codeOf(await add({ name }))).toBe('409 menu_item_exists');
  },
);

test.each(['Pão de queijo', 'PÃO DE QUEIJO', 'Pa\u0303o  de\u00a0queijo', 'Pão de quei\u00adjo'])(
  'an order for %j finds the dish with the equivalent name',
  async (name) => {
    await add({ name: 'Pão de queijo' });
    const { items } = created(await harness.waiter('POST', '/orders', { body: { items: [{ name, quantity: 1 }] } }));
    expect(items).toMatchObject([{ name: 'Pão de queijo' }]);
  },
);

test('an order finds the dish with the exact name if two stored names look the same', async () => {
  created(await add({ name: 'Água com gás', price: '5.00' } as never));
  const twin = created(await add({ name: 'Água' }));
  await harness.db
    .collection('itensMenu')
    .updateOne({ itemID: twin.id }, { $set: { nome: 'Água  com gás', name_key: 'água  com gás' } });
  const order = (name: string) => harness.waiter('POST', '/orders', { body: { items: [{ name, quantity: 1 }] } });

  expect(created(await order('Água  com gás')).items).toMatchObject([{ item_id: twin.id }]);
  expect(codeOf(await order('Água   com gás'))).toBe('422 menu_item_unknown');
});

test('a dish adopts the spelling and translations of the category that it joins', async () => {
  const first = created(
    await add({ name: 'Bolinho', category: 'Porções', station: 'Balcão', category_translations: { en: 'Snacks' } }),
  );
  const second = created(await add({ name: 'Pastel', category: 'porc\u0327o\u0303es', station: 'BALCA\u0303O ' }));
  const third = created(await add({ name: 'Coxinha', category: 'Entradas', station: 'grill' }));
  await change(third.id, { category: 'Por\u00adções', station: 'balcão' });

  const shared = { category: 'Porções', station: 'Balcão', category_translations: { en: 'Snacks' } };
  for (const { id } of [first, second, third]) expect(await read(id)).toMatchObject(shared);
});

test('a new spelling for a category or station changes all its dishes', async () => {
  const [one, two, elsewhere] = [
    created(await add({ name: 'Chope', category: 'bebidas', station: 'bar' })),
    created(await add({ name: 'Suco', category: 'bebidas', station: 'bar' })),
    created(await add({ name: 'Picanha', category: 'Carnes', station: 'grelha' })),
  ];
  // Stores these dishes as release 1.0.0 did.
  await harness.db
    .collection('itensMenu')
    .updateOne({ itemID: two.id }, { $set: { category: 'BEBIDAS', station: 'BAR' } });

  await change(one.id, { category: 'Bebidas', station: 'Bar' });

  for (const { id } of [one, two]) expect(await read(id)).toMatchObject({ category: 'Bebidas', station: 'Bar' });
  expect(await read(elsewhere.id)).toMatchObject({ category: 'Carnes', station: 'grelha' });
});

test('dishes with duplicate names from an earlier release can be renamed', async () => {
  const first = created(await add({ name: 'Caldo verde' }));
  const twin = created(await add({ name: 'Caldo' }));
  await harness.db
    .collection('itensMenu')
    .updateOne({ itemID: twin.id }, { $set: { nome: 'Caldo  verde', name_key: 'caldo  verde' } });

  expect(codeOf(await change(twin.id, { price: '12.00' }))).toBe('200');
  expect(codeOf(await change(first.id, { name: 'CALDO VERDE' }))).toBe('200');
  expect(codeOf(await change(twin.id, { name: 'Caldo de feijão' }))).toBe('200');
});
