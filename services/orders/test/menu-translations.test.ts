import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CloudEvent } from '@comanda/contracts/event-data';
import { codeOf, created } from '@comanda/testing/call';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-menu-translations');
});
afterAll(() => harness.close());

const put = (id: number, body: object) => harness.manager('PUT', `/menu/${id}`, { body });
const read = async (id: number) => (await harness.manager('GET', `/menu/${id}`)).body;
let categories = 0;
const newCategory = (): string => `Pratos ${++categories}`;

describe('a dish in several languages', () => {
  test('is listed publicly with its translations', async () => {
    const translations = {
      name_translations: { en: 'Black bean stew' },
      description_translations: { en: 'With pork, rice and orange' },
    };
    const id = await harness.createDish(translations);

    expect(await read(id)).toMatchObject(translations);
    const [event] = (await harness.events.waitFor('menu.item_changed', id)) as CloudEvent<'menu.item_changed'>[];
    expect(event?.data.item).toMatchObject(translations);
  });

  test('has no translations if none were written', async () => {
    expect(await read(await harness.createDish())).toMatchObject({
      name_translations: {},
      description_translations: {},
      category_translations: {},
    });
  });

  test('keeps its other translations when one field is changed', async () => {
    const description = { en: 'Hot' };
    const id = await harness.createDish({ name_translations: { en: 'Soup' }, description_translations: description });

    expect((await put(id, { name_translations: { 'pt-BR': 'Sopa' } })).body).toMatchObject({
      name_translations: { 'pt-BR': 'Sopa' },
      description_translations: description,
    });
    expect((await put(id, { price: '9.00' })).body).toMatchObject({ name_translations: { 'pt-BR': 'Sopa' } });
    expect((await put(id, { name_translations: {} })).body.name_translations).toEqual({});
  });

  test('trims its translations and drops empty ones', async () => {
    const id = await harness.createDish({
      name_translations: { en: '  Soup ' },
      description_translations: { en: ' \n ', 'pt-BR': 'Quente' },
    });

    expect(await read(id)).toMatchObject({
      name_translations: { en: 'Soup' },
      description_translations: { 'pt-BR': 'Quente' },
    });
  });

  test('can be translated even if it was stored before there were translations', async () => {
    const id = await harness.createDish();
    const absent = { name_translations: '', description_translations: '', category_translations: '' };
    await harness.db.collection('itensMenu').updateOne({ itemID: id }, { $unset: absent });

    expect(await read(id)).toMatchObject({ name_translations: {}, category_translations: {} });
    expect((await put(id, { name_translations: { en: 'Soup' } })).body.name_translations).toEqual({ en: 'Soup' });
  });

  test('has a record of each translation before and after a change', async () => {
    const id = await harness.createDish({ name_translations: { en: 'Soup' } });
    await put(id, { name_translations: {} });

    const [change] = (await harness.manager('GET', `/menu-changes?item_id=${id}`)).body;

    expect(change).toMatchObject({
      before: { name_translations: { en: 'Soup' } },
      after: { name_translations: {} },
    });
  });

  test("can be ordered only by its name in the restaurant's language", async () => {
    await harness.createDish({ name_translations: { en: 'A name of nobody else' } });
    const body = { items: [{ name: 'A name of nobody else', quantity: 1 }] };

    expect(codeOf(await harness.waiter('POST', '/orders', { body }))).toBe('422 menu_item_unknown');
  });
});

describe('a menu category in several languages', () => {
  test('applies a translation sent with one dish to all its dishes', async () => {
    const category = newCategory();
    const [first, second] = [await harness.createDish({ category }), await harness.createDish({ category })];
    const elsewhere = await harness.createDish({ category: newCategory() });

    await put(first, { category_translations: { en: 'Mains' } });

    const translated = { category_translations: { en: 'Mains' }, version: 2 };
    expect([await read(first), await read(second)]).toMatchObject([translated, translated]);
    expect(await read(elsewhere)).toMatchObject({ category_translations: {}, version: 1 });
    const events = (await harness.events.waitFor('menu.item_changed', second, 2)) as CloudEvent<'menu.item_changed'>[];
    expect(events.at(-1)?.data.item).toMatchObject(translated);
    const [change] = (await harness.manager('GET', `/menu-changes?item_id=${second}`)).body;
    expect(change).toMatchObject({ actor: { name: 'Marta' }, after: { category_translations: { en: 'Mains' } } });
  });

  test('passes its translation on to a new or moved dish', async () => {
    const category = newCategory();
    await harness.createDish({ category, category_translations: { en: 'Drinks' } });
    const moved = await harness.createDish({ category: newCategory(), category_translations: { en: 'Starters' } });

    const added = await harness.createDish({ category });
    await put(moved, { category });

    const drinks = { category_translations: { en: 'Drinks' } };
    expect([await read(added), await read(moved)]).toMatchObject([drinks, drinks]);
  });

  test('keeps its translation when a dish leaves it', async () => {
    const category = newCategory();
    const id = await harness.createDish({ category, category_translations: { en: 'Drinks' } });
    const other = await harness.createDish({ category });

    expect((await put(id, { category: null })).body.category_translations).toEqual({});
    expect((await put(id, { category: newCategory() })).body.category_translations).toEqual({});
    expect(await read(other)).toMatchObject({ category_translations: { en: 'Drinks' } });
  });

  test("can't be translated through a dish without a category", async () => {
    const id = await harness.createDish({ name: 'Avulso' });

    const { status, body } = await put(id, { name: 'Changed', category_translations: { en: 'Mains' } });

    expect([status, body.code, body.errors[0].pointer]).toEqual([
      422,
      'unprocessable_content',
      '/category_translations',
    ]);
    expect(await read(id)).toMatchObject({ name: 'Avulso', version: 1 });
  });

  test('has a single translation, even if two managers change it at the same time', async () => {
    const category = newCategory();
    const dishes = [await harness.createDish({ category }), await harness.createDish({ category })];
    const [first, second] = dishes as [number, number];

    const responses = await Promise.all([
      put(first, { category_translations: { en: 'Mains' } }),
      put(second, { category_translations: { en: 'Main courses' } }),
    ]);

    expect(responses.map(codeOf)).toEqual(['200', '200']);
    const [one, other] = [await read(first), await read(second)];
    expect(one.category_translations).toEqual(other.category_translations);
  });
});

describe('simultaneous changes to a category and its dishes', () => {
  test('apply the new translation even to a dish that joins the category at that moment', async () => {
    for (let round = 1; round <= 10; round++) {
      const category = newCategory();
      const entering = await harness.createDish();
      const translated = await harness.createDish({ category, category_translations: { en: 'Old' } });

      await Promise.all([put(translated, { category_translations: { en: 'New' } }), put(entering, { category })]);

      const dishes = [await read(entering), await read(translated)];
      expect(dishes.map((dish) => dish.category_translations)).toEqual([{ en: 'New' }, { en: 'New' }]);
    }
  });

  test('leave a single translation after dishes with different translations are added', async () => {
    const category = newCategory();
    const ids = await Promise.all(
      ['Mains', 'Main courses'].map((en) => harness.createDish({ category, category_translations: { en } })),
    );
    const [one, other] = [await read(ids[0] as number), await read(ids[1] as number)];
    expect(one.category_translations).toEqual(other.category_translations);
  });
});

describe('translations in orders', () => {
  let seatings = 0;
  const newGuest = () => harness.as({ sub: 5, role: 'customer', table: '12', seating: ++seatings });

  test("show the dish's name in each language", async () => {
    const dish = await harness.createDish({ name: 'Moqueca', name_translations: { en: 'Fish stew' } });
    const body = { items: [{ item_id: dish, quantity: 1 }] };
    const ana = newGuest();
    const order = created(await ana('POST', '/orders', { body }));
    await put(dish, { name: 'Another', name_translations: { en: 'Something else' } });

    const named = { name: 'Moqueca', name_translations: { en: 'Fish stew' } };
    expect((await ana('GET', `/orders/${order.id}`)).body.items).toMatchObject([named]);
    expect((await ana('GET', `/bills/${order.bill_id}`)).body.lines).toMatchObject([named]);
    const [event] = (await harness.events.waitFor('order.created', order.id)) as CloudEvent<'order.created'>[];
    expect(event?.data.order.items).toMatchObject([named]);
  });

  test('are absent if the dish has none', async () => {
    const dish = await harness.createDish();
    const body = { items: [{ item_id: dish, quantity: 1 }] };
    const order = created(await newGuest()('POST', '/orders', { body }));

    expect(order.items[0]).not.toHaveProperty('name_translations');
    const stored = await harness.db.collection('pedidos').findOne({ pedidoID: order.id });
    expect(stored?.['itens'][0]).not.toHaveProperty('name_translations');
  });
});

describe("the restaurant's language", () => {
  test('is Brazilian Portuguese until a manager changes it', async () => {
    const before = (await harness.manager('GET', '/restaurant')).body;

    const { body } = await harness.manager('PUT', '/restaurant', { body: { language: 'en' } });
    await harness.manager('PUT', '/restaurant', { body: { name: 'Casa' } });

    expect(before.language).toBe('pt-BR');
    expect(body).toEqual({ ...before, language: 'en', version: before.version + 1 });
    expect((await harness.manager('GET', '/restaurant')).body).toMatchObject({ name: 'Casa', language: 'en' });
  });

  test('is Brazilian Portuguese in settings from an older release', async () => {
    await harness.manager('PUT', '/restaurant', { body: { name: 'Casa', language: 'en' } });
    const settings = harness.db.collection('restaurant');
    await settings.updateOne({ _id: 'orders' as never }, { $unset: { 'settings.language': '' } });

    expect((await harness.manager('GET', '/restaurant')).body).toMatchObject({ name: 'Casa', language: 'pt-BR' });
  });

  test("returns a 400 if the apps don't support it", async () => {
    const { status, body } = await harness.manager('PUT', '/restaurant', { body: { language: 'fr' } });

    expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'validation_failed', '/language']);
  });
});
