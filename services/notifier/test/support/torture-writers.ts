import mongoose, { type mongo } from 'mongoose';
import { noTraces } from '@comanda/shared/tracing/tracer';
import { eventTypesOf } from '@comanda/contracts/events';
import { createOutboxStore, outboxIndex } from '@comanda/shared/messaging/outbox-store';
import { createOutbox } from '@comanda/shared/messaging/outbox';
import { createPublisher, toMessage, type Message } from '@comanda/shared/messaging/publisher';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import { orderCreated, orderStatusChanged } from '@comanda/testing/event-factories';
import { silentLogger as logger } from '@comanda/testing/silent-logger';
import { until } from '@comanda/testing/until';

export type Write = { id: string; orderId: number; version: number };
type Document = { _id: number; version: number; outbox: Message[] };
type Order = { orderId: number; version: number; placedBy: number; seating: number | null };

export type Writers = {
  /** All writes that MongoDB has acknowledged. */
  writes: Write[];
  /** Writes at about this rate until `stop` is called. `stop` resolves after the last write. */
  start: (perSecond: number) => { stop: () => Promise<void> };
  /** Waits until all events are published. */
  emptied: () => Promise<void>;
  close: () => Promise<void>;
};

/**
 * Starts two instances of a service that writes orders with events. Each order gets several versions, and some get many. Either
 * instance may write any order. Skips one in ten calls of `publishNow`, as if the instance had died before the call.
 */
export async function startWriters(options: {
  mongodbUri: string;
  database: string;
  rabbitmqUrl: string;
}): Promise<Writers> {
  const connection = await mongoose.createConnection(options.mongodbUri, { dbName: options.database }).asPromise();
  const collection = connection.getClient().db(options.database).collection<Document>('orders');
  await collection.createIndex(...outboxIndex);
  const instances = ['one', 'two'].map((name) => {
    const publisher = createPublisher({ url: options.rabbitmqUrl, name: `writer ${name}`, logger });
    const store = createOutboxStore(collection as unknown as mongo.Collection);
    const metrics = createMetrics(name);
    const types = eventTypesOf('/orders');
    return {
      publisher,
      outbox: createOutbox({
        tracer: noTraces,
        name: 'orders',
        store,
        types,
        isReady: () => true,
        publisher,
        logger,
        metrics,
      }),
    };
  });
  const orders: Order[] = [];
  const writes: Write[] = [];

  function publishNow(document: Document | null): void {
    const instance = instances[Math.floor(Math.random() * instances.length)];
    if (document && Math.random() < 0.9) instance?.outbox.publishNow(document['_id'], document.outbox);
  }
  async function create(): Promise<void> {
    const orderId = orders.length + 1;
    const seating = [null, 88, 89][orderId % 3] ?? null;
    const order = { orderId, version: 1, placedBy: 5 + (orderId % 5), seating };
    orders.push(order);
    const message = toMessage(orderCreated(order));
    const document = { _id: orderId, version: 1, outbox: [message] };
    await collection.insertOne(document);
    writes.push({ id: message.id, orderId, version: 1 });
    publishNow(document);
  }
  /** Writes the next version unless the other instance has already written it. */
  async function change(order: Order): Promise<void> {
    const version = order.version + 1;
    const message = toMessage(orderStatusChanged({ ...order, version }));
    const document = await collection.findOneAndUpdate(
      { _id: order.orderId, version: order.version },
      { $set: { version }, $push: { outbox: message } },
      { returnDocument: 'after' },
    );
    if (!document) return;
    order.version = version;
    writes.push({ id: message.id, orderId: order.orderId, version });
    publishNow(document);
  }
  function writeOne(): Promise<void> {
    const newest = orders.slice(-20);
    const order = newest[Math.floor(Math.random() * newest.length)];
    return !order || Math.random() < 0.3 ? create() : change(order);
  }

  return {
    writes,
    start: (perSecond) => {
      const running = new Set<Promise<void>>();
      const timer = setInterval(() => {
        for (let count = 0; count < perSecond / 50 && running.size < 200; count++) {
          const write = writeOne().finally(() => running.delete(write));
          running.add(write);
        }
      }, 20);
      return {
        stop: async () => {
          clearInterval(timer);
          await Promise.all(running);
        },
      };
    },
    emptied: async () => {
      const waits = async (): Promise<boolean> =>
        (await collection.findOne({ 'outbox.time': { $exists: true } }, { projection: { _id: 1 } })) !== null;
      await until(async () => !(await waits()), { what: 'the outboxes to be empty', timeoutMs: 30_000 });
    },
    close: async () => {
      for (const { outbox, publisher } of instances) {
        await outbox.close();
        await publisher.close();
      }
      await connection.close();
    },
  };
}
