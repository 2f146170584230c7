import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { prepareDatabase } from '@comanda/shared/mongo/prepare-database';
import { silentLogger } from '@comanda/testing/silent-logger';
import { ordersPreparation } from '../src/preparation.ts';

const price = mongoose.mongo.Decimal128.fromString('32.50');
const at = new Date('2026-11-20T21:00:00Z');
const message = { id: 'a', type: 'order.created', time: at, body: '{}' };

const chosen = {
  id: 1,
  group: 'Borda',
  name: 'Catupiry',
  kitchen_name: null,
  quantity: 1,
  of: null,
  price: '12.00',
  item_id: null,
};
const item = {
  itemPedidoID: 1,
  itemID: 7,
  quantidade: 2,
  observacoes: '',
  name: 'Feijoada',
  unit_price: price,
  station: 'kitchen',
  status: 'received',
  holds_portions: true,
  delivered_at: null,
  options: [{ ...chosen, options: [{ ...chosen, options: [{ ...chosen, options: [] }] }] }],
  part_of: 1,
};
const actor = { id: 5, name: 'Ana', role: 'customer' };
const entry = { at, actor, what: 'status', from: null, to: 'received', version: 1 };
const order = {
  _id: 1,
  pedidoID: 1,
  usuarioID: 5,
  dataHora: at,
  status: 'received',
  itens: [item],
  owner_name: 'Ana',
  ticket: 1,
  table: '12',
  seating: null,
  original_table: '12',
  original_seating: null,
  version: 1,
  changed_version: 1,
  allergies: null,
  seen_at: null,
  currency: 'BRL',
  delivered_at: null,
  updated_at: at,
  history: [entry],
  outbox: [message],
};
const dish = {
  _id: 1,
  itemID: 1,
  nome: 'Feijoada',
  descricao: '',
  preco: price,
  imagemURL: null,
  name_key: 'feijoada',
  currency: 'BRL',
  category: null,
  position: 0,
  station: 'kitchen',
  allergens: ['celery'],
  available: true,
  portions_left: null,
  version: 1,
  deleted: false,
  outbox: [],
};
const group = {
  _id: 1,
  name: 'Borda',
  name_translations: {},
  min: 0,
  max: 1,
  price_method: 'sum',
  free: 0,
  options: [
    {
      id: 1,
      name: 'Catupiry',
      name_translations: {},
      kitchen_name: null,
      price: '12.00',
      max_each: 1,
      allergens: null,
      available: true,
      default: false,
      option_group_ids: [],
      item_id: null,
    },
  ],
  version: 1,
  deleted: false,
  outbox: [],
};
const screen = {
  _id: 'kitchen-1',
  shows: 'all_stations',
  station: null,
  build: null,
  sound: 'on',
  display: 'unknown',
  live: true,
  reported_by: { id: 3, name: 'Wagner' },
  reported_at: at,
};
const instance = { _id: 'a', beat: at, sessions: [{ id: new mongoose.mongo.Binary(Buffer.alloc(16), 4) }] };
const characters = (count: number): string => 'é'.repeat(count);

let connection: Connection;
beforeAll(async () => {
  const servers = await isolatedServers('orders-stored-rules');
  connection = await mongoose.createConnection(servers.mongodbUri, { dbName: servers.database }).asPromise();
  await prepareDatabase(connection, ordersPreparation, silentLogger);
  for (const [name, document] of [
    ['pedidos', order],
    ['itensMenu', dish],
    ['option_groups', group],
    ['screens', screen],
    ['instances', instance],
  ] as const)
    await collection(name).insertOne(document as unknown as mongo.Document);
});
afterAll(() => connection.close());

const collection = (name: string) => connection.collection(name) as unknown as mongo.Collection;
const refused = { code: 121 };

const rules: [name: string, id: unknown, refused: [what: string, update: object][]][] = [
  [
    'pedidos',
    1,
    [
      ['an unknown status', { $set: { status: 'nonsense' } }],
      ['an unknown status of an item', { $set: { 'itens.0.status': 'nonsense' } }],
      ['remarks of more than 500 characters', { $set: { 'itens.0.observacoes': characters(501) } }],
      ['a quantity of more than 99', { $set: { 'itens.0.quantidade': 100 } }],
      ['a quantity of 0', { $set: { 'itens.0.quantidade': 0 } }],
      ["a price that isn't a decimal number", { $set: { 'itens.0.unit_price': 32.5 } }],
      ["a time at which a station has shown an item that isn't a date", { $set: { 'itens.0.seen_at': 'now' } }],
      ['an item without a name', { $unset: { 'itens.0.name': 1 } }],
      [
        'an item whose translated name has more than 255 characters',
        { $set: { 'itens.0.name_translations': { en: characters(256) } } },
      ],
      ['an option without a name', { $unset: { 'itens.0.options.0.options.0.options.0.name': 1 } }],
      ['an option whose price is a number', { $set: { 'itens.0.options.0.price': 12 } }],
      ['a name for the kitchen of more than 24 characters', { $set: { 'itens.0.kitchen_name': characters(25) } }],
      ['a component of no item', { $set: { 'itens.0.part_of': 0 } }],
      ['a part of no item', { $set: { 'itens.0.split_from': 0 } }],
      ['a part of no order', { $set: { split_from: 0 } }],
      ['a remake without a reason', { $set: { 'itens.0.remake': { of: 1 } } }],
      ['a weight without a price', { $set: { 'itens.0.measure': { value: '0.432' } } }],
      ['no items', { $unset: { itens: 1 } }],
      ['no user', { $unset: { usuarioID: 1 } }],
      ["a time that isn't a date", { $set: { dataHora: '2026-11-20' } }],
      ['a table of more than 16 characters', { $set: { table: characters(17) } }],
      ['allergies of more than 200 characters', { $set: { allergies: characters(201) } }],
      ['a history without an actor', { $unset: { 'history.0.actor': 1 } }],
      ['a history with an unknown role', { $set: { 'history.0.actor.role': 'cook' } }],
      ['a reason of more than 200 characters', { $set: { 'history.0.reason': characters(201) } }],
      ['an event without a body', { $push: { outbox: { id: 'b', type: 'order.created', time: at } } }],
      ["an idempotency key that isn't text", { $set: { idempotency_key: 1 } }],
    ],
  ],
  [
    'itensMenu',
    1,
    [
      ['a name of more than 255 characters', { $set: { nome: characters(256) } }],
      ['no name', { $unset: { nome: 1 } }],
      ['a price that is a text', { $set: { preco: '32.50' } }],
      ['a negative number of portions', { $set: { portions_left: -1 } }],
      ['an unknown allergen', { $push: { allergens: 'dust' } }],
      ['a description of more than 2,000 characters', { $set: { descricao: characters(2001) } }],
      ['a translated name of more than 255 characters', { $set: { name_translations: { en: characters(256) } } }],
      ["a translated category that isn't text", { $set: { category_translations: { 'pt-BR': 7 } } }],
      ['no version', { $unset: { version: 1 } }],
      ['an address of an image of more than 255 characters', { $set: { imagemURL: characters(256) } }],
    ],
  ],
  [
    'option_groups',
    1,
    [
      ['an unknown price method', { $set: { price_method: 'least' } }],
      ['an option with an unknown allergen', { $set: { 'options.0.allergens': ['dust'] } }],
      ['an option whose price is a number', { $set: { 'options.0.price': 12 } }],
      ['a max of 21', { $set: { max: 21 } }],
    ],
  ],
  [
    'restaurant',
    'ordering',
    [
      ['a negative counter', { $set: { last_order_id: -1 } }],
      ['a counter that is a text', { $set: { last_dish_id: '7' } }],
      ['a pause that ends at no date', { $set: { paused_until: 'tomorrow' } }],
      ['a reason of more than 200 characters', { $set: { reason: characters(201) } }],
    ],
  ],
  [
    'screens',
    'kitchen-1',
    [
      ['no time of its report', { $unset: { reported_at: 1 } }],
      ['a state of sound of more than 16 characters', { $set: { sound: characters(17) } }],
      ['nobody who has reported', { $unset: { 'reported_by.name': 1 } }],
    ],
  ],
  [
    'instances',
    'a',
    [
      ['no heartbeat', { $unset: { beat: 1 } }],
      ["a session that isn't a binary id", { $set: { sessions: [{ id: 'a' }] } }],
    ],
  ],
];
describe.each(rules.map(([name, id, updates]) => ({ name, id, updates })))('$name', ({ name, id, updates }) => {
  test.each(updates)('rejects %s', async (_what, update) => {
    await expect(collection(name).updateOne({ _id: id as mongo.ObjectId }, update)).rejects.toMatchObject(refused);
  });
});

test("the restaurant's collection rejects an unknown document", async () => {
  const unknown = { _id: 'others' as unknown as mongo.ObjectId };
  await expect(collection('restaurant').insertOne(unknown)).rejects.toMatchObject(refused);
});

test('an order that lacks fields from newer releases can still be changed', async () => {
  const { seen_at: _, original_table: __, ...older } = { ...order, _id: 2, pedidoID: 2 };
  await collection('pedidos').insertOne(older as unknown as mongo.Document);
  const update = { $set: { status: 'preparing', version: 2 }, $push: { history: entry as never } };
  expect(await collection('pedidos').updateOne({ pedidoID: 2 }, update)).toMatchObject({ modifiedCount: 1 });
});

test('each collection still has the indexes from the first release', async () => {
  const names = async (name: string) =>
    (await collection(name).listIndexes().toArray()).map((index) => String(index['name']));
  expect({
    pedidos: await names('pedidos'),
    itensMenu: await names('itensMenu'),
    restaurant: await names('restaurant'),
  }).toEqual({
    pedidos: [
      '_id_',
      'pedidoID_1',
      'page_by_status',
      'page_by_owner',
      'page_by_table',
      'page_by_seating',
      'orders_of_bill',
      'move_keys',
      'idempotency_key_1',
      'outbox_pending',
    ],
    itensMenu: ['_id_', 'itemID_1', 'name_key_1', 'outbox_pending'],
    restaurant: ['_id_', 'outbox_pending'],
  });
});
