import mongoose, { type mongo } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { created } from '@comanda/testing/call';
import { until } from '@comanda/testing/until';
import { startOrdersHarness, type OrdersHarness } from './support/harness.ts';

const { Decimal128 } = mongoose.mongo;

let harness: OrdersHarness;
beforeAll(async () => {
  harness = await startOrdersHarness('orders-stored');
});
afterAll(() => harness.close());

describe('documents in MongoDB', () => {
  test('contain dishes with the names in the data dictionary', async () => {
    const id = await harness.createDish({
      name: 'Feijoada',
      description: 'Com couve',
      price: '32.5',
      image_url: '/f.webp',
    });
    expect(await harness.db.collection('itensMenu').findOne({ itemID: id })).toMatchObject({
      itemID: id,
      nome: 'Feijoada',
      descricao: 'Com couve',
      preco: Decimal128.fromString('32.50'),
      imagemURL: '/f.webp',
    });
  });

  test('contain orders with the names in the data dictionary', async () => {
    const dish = await harness.createDish({ price: '9.90' });
    const placed = created(
      await harness.as({ sub: 77, role: 'customer' })('POST', '/orders', {
        body: { items: [{ item_id: dish, quantity: 3, remarks: 'bem passado' }] },
      }),
    );
    await harness.waiter('PUT', `/orders/${placed.id}`, { body: { status: 'preparing' } });
    const stored = await harness.db.collection('pedidos').findOne({ pedidoID: placed.id });
    expect(stored).toMatchObject({
      pedidoID: placed.id,
      usuarioID: 77,
      dataHora: new Date(placed.created_at),
      status: 'preparing',
    });
    expect(stored?.['itens']).toMatchObject([
      {
        itemPedidoID: placed.items[0].id,
        itemID: dish,
        quantidade: 3,
        observacoes: 'bem passado',
        unit_price: Decimal128.fromString('9.90'),
      },
    ]);
    for (const number of [stored?.['pedidoID'], stored?.['usuarioID'], stored?.['itens'][0].itemPedidoID])
      expect(Number.isInteger(number)).toBe(true);
  });

  test("keep another release's fields when they are changed", async () => {
    const dish = await harness.createDish({ portions_left: 9 });
    const line = { item_id: dish, quantity: 1 };
    const { id, items } = created(await harness.waiter('POST', '/orders', { body: { items: [line, line, line] } }));
    const pedidos = harness.db.collection('pedidos');
    const unknown = { course: 2 };
    await pedidos.updateOne({ pedidoID: id }, { $set: { 'itens.$[].unknown': unknown, unknown } });

    await harness.waiter('PUT', `/orders/${id}/items/${items[0].id}`, { body: { status: 'preparing' } });
    await harness.waiter('PUT', `/orders/${id}/items/${items[1].id}`, { body: { status: 'cancelled' } });
    await harness.waiter('PUT', `/orders/${id}/table`, { body: { table: '4' } });
    await harness.waiter('PUT', `/orders/${id}`, { body: { status: 'cancelled' } });

    const stored = await pedidos.findOne({ pedidoID: id });
    expect(stored).toMatchObject({ version: 5, unknown });
    expect(stored?.['itens']).toMatchObject([
      { status: 'cancelled', unknown },
      { status: 'cancelled', unknown },
      { status: 'cancelled', unknown },
    ]);
  });

  test('can be found through an index by user or by status', async () => {
    for (const filter of [{ usuarioID: 77 }, { status: 'received' }]) {
      const { queryPlanner } = await harness.db.collection('pedidos').find(filter).explain('queryPlanner');
      expect(JSON.stringify(queryPlanner.winningPlan)).toContain('IXSCAN');
    }
  });

  test("can't share a number or an idempotency key", async () => {
    const pedidos = harness.db.collection('pedidos');
    const insert = (id: number, keys: object) =>
      pedidos.insertOne({ _id: id as never, ...keys }, { bypassDocumentValidation: true });
    await insert(800_000, { pedidoID: 800_000 });
    await expect(insert(800_000, { pedidoID: 800_001 })).rejects.toThrow('E11000');
    await insert(900_000, { pedidoID: 900_000, idempotency_key: '1/a' });
    await expect(insert(900_001, { pedidoID: 900_001, idempotency_key: '1/a' })).rejects.toThrow('E11000');
    await pedidos.deleteOne({ _id: 900_000 as never });
  });

  test('are validated in every collection', async () => {
    const collections = await harness.db.listCollections<mongo.CollectionInfo>().toArray();
    expect(collections.map(({ name }) => name).toSorted()).toEqual([
      'bills',
      'calls',
      'cash_drawers',
      'counts',
      'day_statistics',
      'days',
      'ended_seatings',
      'exceptions',
      'instances',
      'itensMenu',
      'menu_changes',
      'menu_pictures',
      'movements',
      'option_groups',
      'pedidos',
      'pix_decisions',
      'preparations',
      'restaurant',
      'restaurant_changes',
      'screens',
      'stations',
    ]);
    for (const { options } of collections) expect(options?.['validator']).toHaveProperty('$jsonSchema');
  });

  test('have empty outboxes once their events are published', async () => {
    const dish = await harness.createDish({ portions_left: 4 });
    const { id } = created(
      await harness.waiter('POST', '/orders', { body: { items: [{ item_id: dish, quantity: 1 }] } }),
    );
    await harness.events.waitFor('order.created', id);
    await harness.events.waitFor('menu.item_changed', dish, 2);
    const waiting = async () =>
      (await harness.db.collection('pedidos').countDocuments({ 'outbox.0': { $exists: true } })) +
      (await harness.db.collection('itensMenu').countDocuments({ 'outbox.0': { $exists: true } }));
    expect(await until(async () => (await waiting()) === 0, { what: 'empty outboxes' })).toBe(true);
  });
});
