// Accepts orders like the orders service, with a menu of one dish. Needs MONGODB_URI, RABBITMQ_URL and JWKS_URL.
import { randomUUID } from 'node:crypto';
import { connect } from 'amqplib';
import express from 'express';
import joi from 'joi';
import mongoose from 'mongoose';
import { env, fetchKeys, listen, requireAccessToken } from './tokens.ts';

await mongoose.connect(env('MONGODB_URI'), {
  dbName: 'bench_peer_orders',
  writeConcern: { w: 'majority', journal: true },
  maxPoolSize: 100,
});
const Dish = mongoose.model(
  'Dish',
  new mongoose.Schema({ id: Number, name: { type: String, unique: true }, price: Number, available: Boolean }),
);
const item = {
  _id: Number,
  item_id: Number,
  name: String,
  quantity: Number,
  remarks: String,
  unit_price: Number,
  status: String,
};
const Order = mongoose.model(
  'Order',
  new mongoose.Schema({
    _id: Number,
    table: String,
    status: String,
    version: Number,
    items: [item],
    total: Number,
    placed_by: { id: Number, name: String },
    created_at: Date,
  }).index({ status: 1, created_at: 1, _id: 1 }),
);
const Counter = mongoose.model('Counter', new mongoose.Schema({ _id: String, next: Number }));
await Promise.all([Dish, Order, Counter].map((model) => model.init()));
await Dish.updateOne({ id: 1 }, { name: 'Feijoada', price: 3250, available: true }, { upsert: true });
// Reserves a block of ids at the start, so an order never waits for the counter.
const counter = await Counter.findByIdAndUpdate(
  'order',
  { $inc: { next: 1_000_000 } },
  { upsert: true, returnDocument: 'after' },
);
let lastId = (counter?.next ?? 0) - 1_000_000;

const rabbitmq = await connect(env('RABBITMQ_URL'));
const channel = await rabbitmq.createConfirmChannel();
await channel.assertExchange('peer.orders', 'topic', { durable: true });

const bodySchema = joi
  .object({
    table: joi.string().max(16),
    items: joi
      .array()
      .items(
        joi.object({
          name: joi.string().max(100).required(),
          quantity: joi.number().integer().min(1).max(99).required(),
          remarks: joi.string().max(500).allow(''),
        }),
      )
      .min(1)
      .max(50)
      .required(),
  })
  .required();
type Body = { table?: string; items: { name: string; quantity: number; remarks?: string }[] };

const money = (minor: number): string => (minor / 100).toFixed(2);
const app = express().disable('x-powered-by');
const keys = await fetchKeys(env('JWKS_URL'));
app.post('/orders', requireAccessToken(keys), express.json({ limit: '64kb' }), async (req, res) => {
  const { value, error } = bodySchema.validate(req.body, { convert: false }) as { value: Body; error?: Error };
  if (error) return res.status(400).json({ code: 'validation_failed' });
  const dishes = await Dish.find({ name: { $in: value.items.map(({ name }) => name) }, available: true }).lean();
  const byName = new Map(dishes.map((dish) => [dish.name, dish]));
  const id = ++lastId;
  const items = [];
  for (const [index, { name, quantity, remarks = '' }] of value.items.entries()) {
    const dish = byName.get(name);
    if (!dish) return res.status(422).json({ code: 'item_unavailable' });
    const price = dish.price ?? 0;
    items.push({
      _id: id * 50 + index,
      item_id: dish.id,
      name,
      quantity,
      remarks,
      unit_price: price,
      status: 'received',
    });
  }
  const now = new Date();
  const total = items.reduce((sum, { quantity, unit_price: price }) => sum + quantity * price, 0);
  const { userId, userName } = res.locals as { userId: number; userName: string };
  const facts = { table: value.table, status: 'received', version: 1, items, total };
  const placed = { placed_by: { id: userId, name: userName }, created_at: now };
  await new Order({ _id: id, ...facts, ...placed }).save();
  const order = {
    id,
    ...facts,
    items: items.map(({ _id, unit_price: price, ...rest }) => ({ id: _id, ...rest, unit_price: money(price) })),
    total: money(total),
    currency: 'BRL',
    ...placed,
    updated_at: now,
  };
  const event = {
    specversion: '1.0',
    id: randomUUID(),
    source: '/orders',
    type: 'order.created',
    time: now,
    data: { order },
  };
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const options = { persistent: true, contentType: 'application/cloudevents+json' };
  channel.publish('peer.orders', event.type, Buffer.from(JSON.stringify(event)), options, (refused) =>
    refused ? reject(refused as Error) : resolve(),
  );
  await promise;
  return res.status(201).location(`/orders/${id}`).json(order);
});
await listen(app);
