import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { noTraces } from '../tracing/tracer.ts';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { eventTypesOf } from '@comanda/contracts/events';
import { orderCreated, orderStatusChanged } from '@comanda/testing/event-factories';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { recordEvents, type RecordedEvents, type RecordedMessage } from '@comanda/testing/recorded-events';
import { silentLogger as logger } from '@comanda/testing/silent-logger';
import { until } from '@comanda/testing/until';
import { createMetrics } from '../runtime/metrics.ts';
import { createOutboxStore, outboxIndex } from './outbox-store.ts';
import { createOutbox, type Outbox, type OutboxStore } from './outbox.ts';
import { createPublisher, toMessage, type Message, type Publisher } from './publisher.ts';

type Document = { _id: number; outbox: Message[] };
type Written = { id: number; outbox: Message[] };

let url: string;
let connection: Connection;
let documents: mongo.Collection<Document>;
let store: OutboxStore;
let publisher: Publisher;
let recorder: RecordedEvents;
let read: RecordedMessage[];
const opened: Outbox[] = [];
let lastId = 0;

beforeAll(async () => {
  const own = await isolatedServers('outbox');
  url = own.rabbitmqUrl;
  connection = await mongoose.createConnection(own.mongodbUri, { dbName: own.database }).asPromise();
  documents = connection.getClient().db(own.database).collection<Document>('documents');
  await documents.createIndex(...outboxIndex);
  store = createOutboxStore(documents as never);
  publisher = createPublisher({ url, name: 'test', logger });
  recorder = await recordEvents(url);
  read = recorder.messages;
  await until(publisher.isUp, { what: 'the broker' });
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((outbox) => outbox.close()));
  await documents.deleteMany({});
});
afterAll(async () => {
  await publisher.close();
  await recorder.close();
  await connection.close();
});

function open(options: Partial<{ store: OutboxStore; publisher: Publisher }> = {}) {
  const metrics = createMetrics('test');
  const outbox = createOutbox({
    tracer: noTraces,
    name: 'documents',
    types: eventTypesOf('/orders'),
    isReady: () => true,
    store,
    publisher,
    logger,
    metrics,
    ...options,
  });
  opened.push(outbox);
  return { outbox, metrics };
}
/** Opens an outbox and waits for its first sweep to end. Returns how many documents each claim of this sweep read. */
async function sweepOnce(): Promise<number[]> {
  const claimed: number[] = [];
  let asked = 0;
  const counting: OutboxStore = {
    ...store,
    claim: async (what) => {
      const pending = await store.claim(what);
      claimed.push(pending.length);
      return pending;
    },
    oldestMs: () => {
      asked++; // called at the start and at the end of each sweep that finds something; then there is a pause
      return store.oldestMs();
    },
  };
  open({ store: counting });
  await until(() => asked > 1, { what: 'the end of the sweep', timeoutMs: 30_000 });
  return claimed;
}
/** Inserts a document with one event for each of its versions. Each event is `ageMs` old. */
async function insert(versions: number, ageMs = 0, remarks = ''): Promise<Written> {
  const orderId = ++lastId;
  const outbox = Array.from({ length: versions }, (_, index) => {
    const options = { orderId, version: index + 1, remarks };
    const message = toMessage(index === 0 ? orderCreated(options) : orderStatusChanged(options));
    return { ...message, time: new Date(Date.now() - ageMs) };
  });
  await documents.insertOne({ _id: orderId, outbox });
  return { id: orderId, outbox };
}
const timesRead = ({ outbox }: Written): number[] =>
  outbox.map(({ id }) => read.filter((message) => message.id === id).length);
const isEmpty = async ({ id }: Written): Promise<boolean> =>
  (await documents.findOne({ _id: id }))?.outbox.length === 0;
/** Returns the ids of the outbox's events, in the order in which they first appear in the stream. */
const firstRead = ({ outbox }: Written): string[] => {
  const own = new Set(outbox.map(({ id }) => id));
  return [...new Set(read.map(({ id }) => id))].filter((id) => own.has(id));
};
const ids = ({ outbox }: Written): string[] => outbox.map(({ id }) => id);

describe('the outbox', () => {
  test("publishes a write's events once, as stored, and removes them", async () => {
    const { outbox, metrics } = open();
    const document = await insert(2);
    outbox.publishNow(document.id, document.outbox);

    await until(() => isEmpty(document), { what: 'the outbox to be empty' });
    await until(() => timesRead(document).every((times) => times === 1), { what: 'the events' });
    const body = read.find(({ id }) => id === document.outbox[1]?.id)?.body;

    expect(body).toBe(document.outbox[1]?.body);
    expect(await metrics.metrics()).toContain('comanda_outbox_published_total{outbox="documents",service="test"} 2');
  });

  test('publishes each event of 200 orders with a single id', async () => {
    const { outbox } = open();
    const written = await Promise.all(Array.from({ length: 200 }, () => insert(1)));
    for (const { id, outbox: messages } of written) outbox.publishNow(id, messages);
    await until(async () => (await documents.countDocuments({ 'outbox.0': { $exists: true } })) === 0, {
      what: 'the outboxes to be empty',
    });
    const last = await insert(1);
    outbox.publishNow(last.id, last.outbox);
    await until(() => timesRead(last)[0] === 1, { what: 'what was published after them' });
    const bodies = new Set(written.map(({ outbox: [message] }) => message?.body));
    const published = new Set(read.filter(({ body }) => bodies.has(body)).map(({ id }) => id));

    expect([...published].toSorted()).toEqual(written.flatMap(ids).toSorted());
  });

  test('publishes events that are 2 s old, oldest first, if their writer died before publishing them', async () => {
    const document = await insert(3, 2500);
    const { metrics } = open();

    await until(() => isEmpty(document), { what: 'the outbox to be empty' });
    await until(() => firstRead(document).length === 3, { what: 'the events' });

    expect(firstRead(document)).toEqual(ids(document));
    expect(await metrics.metrics()).toContain(
      'comanda_outbox_swept_documents_total{outbox="documents",service="test"} 1',
    );
  });

  test('removes only published events if another event was added in the meantime', async () => {
    const { outbox } = open();
    const document = await insert(1);
    const later = toMessage(orderStatusChanged({ orderId: document.id, version: 2 }));
    await documents.updateOne({ _id: document.id }, { $push: { outbox: later } });
    outbox.publishNow(document.id, document.outbox);

    await until(() => timesRead(document)[0] === 1, { what: 'the event' });
    await until(async () => (await documents.findOne({ _id: document.id }))?.outbox.length === 1, {
      what: 'one event to be left',
    });

    expect((await documents.findOne({ _id: document.id }))?.outbox[0]?.id).toBe(later.id);
  });

  test('publishes an event once even if two documents have it, and removes it from both', async () => {
    const { outbox } = open();
    const carrier = await insert(1);
    const changed = await insert(1);
    const both = { ...changed, outbox: [...carrier.outbox, ...changed.outbox] };
    await documents.updateOne({ _id: both.id }, { $set: { outbox: both.outbox } });
    outbox.publishNow(carrier.id, carrier.outbox);
    outbox.publishNow(both.id, both.outbox);

    await until(async () => (await isEmpty(carrier)) && (await isEmpty(both)), { what: 'the outboxes to be empty' });
    await until(() => firstRead(both).length === 2, { what: 'the events' });

    expect(firstRead(both)).toEqual(ids(both));
    expect(timesRead(both)).toEqual([1, 1]);
    expect([...ids(both), 'another'].map(outbox.isPublished)).toEqual([true, true, false]);
  });

  test("first publishes a document's events in version order, even if calls for the document overtake each other", async () => {
    const { outbox } = open();
    const written = await Promise.all(Array.from({ length: 40 }, () => insert(5)));
    for (const { id, outbox: messages } of written)
      for (const upTo of [3, 1, 2, 5, 4]) outbox.publishNow(id, messages.slice(0, upTo));

    for (const document of written) {
      await until(() => firstRead(document).length === 5, { what: 'the events' });

      expect(firstRead(document)).toEqual(ids(document));
    }
  });

  test('publishes an event that was written by a clock that is an hour ahead', async () => {
    const document = await insert(1, -3_600_000);
    open();
    await until(() => isEmpty(document), { what: 'the outbox to be empty' });
  });

  test('publishes waiting events of any age as soon as the broker is up', async () => {
    const document = await insert(2);
    const late = createPublisher({ url, name: 'late', logger });
    const foundOlderThanMs: number[] = [];
    const claim: OutboxStore['claim'] = async (what) => {
      const found = await store.claim(what);
      if (found.length > 0) foundOlderThanMs.push(what.olderThanMs);
      return found;
    };
    const { outbox } = open({ publisher: late, store: { ...store, claim } });

    expect(late.isUp()).toBe(false);

    outbox.publishNow(document.id, document.outbox);

    await until(() => isEmpty(document), { what: 'the outbox to be empty' });

    expect(foundOlderThanMs).toEqual([0]);
    await late.close();
  });

  test('publishes an event again if its removal fails, and loses nothing', async () => {
    let failures = 1;
    const failing: OutboxStore = {
      ...store,
      remove: (published) => (failures-- > 0 ? Promise.reject(new Error('no primary')) : store.remove(published)),
    };
    const { outbox } = open({ store: failing });
    const document = await insert(1);
    outbox.publishNow(document.id, document.outbox);

    await until(() => isEmpty(document), { what: 'the outbox to be empty' });
    await until(() => timesRead(document)[0] === 2, { what: 'the event to be published twice' });
  });

  test('publishes 2,000 waiting documents in one sweep, each exactly once, without a pause', async () => {
    const waiting = Array.from({ length: 2000 }, (_, index) => ({
      _id: 3_000_000 + index,
      outbox: [{ ...toMessage(orderCreated({ orderId: index + 1 })), time: new Date(Date.now() - 60_000) }],
    }));
    await documents.insertMany(waiting);

    const claimed = await sweepOnce();

    expect(claimed.reduce((sum, count) => sum + count, 0)).toBe(2000);
    expect(
      await documents.countDocuments({ $or: [{ 'outbox.0': { $exists: true } }, { outbox_claim: { $exists: true } }] }),
    ).toBe(0);
  });

  test("removes another service's events from its outbox and publishes the rest", async () => {
    const own = await insert(1, 60_000);
    const another = (id: string) =>
      toMessage({ ...orderCreated({ orderId: own.id }), id, type: 'transfer.posted', source: '/transfers' } as never);
    const foreign = another('foreign');
    const disguised = { ...another('disguised'), type: 'order.created' };
    const nonsense = { ...foreign, id: 'nonsense', type: 'order.created', body: 'nonsense' };
    const outbox = [...own.outbox, foreign, disguised, nonsense].map((each) => ({ ...each, time: new Date(0) }));
    await documents.updateOne({ _id: own.id }, { $set: { outbox } });

    open();
    await until(() => isEmpty(own), { what: 'the outbox to be empty' });
    await until(() => timesRead(own)[0] === 1, { what: 'the event' });
    const last = await insert(1);
    opened[0]?.publishNow(last.id, last.outbox);
    await until(() => timesRead(last)[0] === 1, { what: 'what was published after them' });

    expect(timesRead(own)).toEqual([1]);
    expect(read.filter(({ id }) => ['foreign', 'disguised', 'nonsense'].includes(id))).toEqual([]);
  });

  test('only looks for the oldest event in a sweep if no events are waiting', async () => {
    const asked: string[] = [];
    const asking: OutboxStore = {
      ...store,
      claim: (what) => {
        asked.push('claim');
        return store.claim(what);
      },
      oldestMs: () => {
        asked.push('oldest');
        return store.oldestMs();
      },
    };
    const { outbox } = open({ store: asking });

    await until(() => asked.includes('oldest'), { what: 'a sweep' });
    await outbox.close();

    expect(new Set(asked)).toEqual(new Set(['oldest']));
  });

  test('closes even if the broker never confirms the events from its last sweep', async () => {
    const sent: Message[] = [];
    const unconfirmed: Publisher = {
      ...publisher,
      publish: (messages) => {
        sent.push(...messages);
        return new Promise(() => undefined);
      },
    };
    const document = await insert(1, 5000);
    const { outbox } = open({ publisher: unconfirmed });
    await until(() => sent.length > 0, { what: 'a sweep' });

    await outbox.close();

    expect(await isEmpty(document)).toBe(false);
  });

  test('reads at most 16 MB of large outboxes per claim, but publishes all of them in one sweep', async () => {
    const written = await Promise.all(Array.from({ length: 7 }, () => insert(6, 60_000, 'x'.repeat(1_000_000))));

    const claimed = await sweepOnce();

    expect(claimed).toEqual([2, 2, 2, 1, 0]);
    expect(await Promise.all(written.map(isEmpty))).toEqual(written.map(() => true));
  });
});
