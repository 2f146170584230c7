import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { connect, type Channel, type ChannelModel } from 'amqplib';
import { createPublisher, toMessage } from '@comanda/shared/messaging/publisher';
import { findTail, findTailFrom, readStream, type FeedMessage } from '@comanda/shared/messaging/read-stream';
import { declareTopology, exchange, stream } from '@comanda/shared/messaging/topology';
import { orderCreated } from '@comanda/testing/event-factories';
import { startTcpProxy, type TcpProxy } from '@comanda/testing/tcp-proxy';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { silentLogger as logger } from '@comanda/testing/silent-logger';
import { until } from '@comanda/testing/until';
import { createStreamArchive } from '../src/stream/stream-archive.ts';
import { recordStream } from './support/recorded-stream.ts';

let url: string;
let proxy: TcpProxy;
let connection: ChannelModel;
let channel: Channel;
const toClose: (() => Promise<void>)[] = [];

beforeAll(async () => {
  url = (await isolatedServers('stream-reader')).rabbitmqUrl;
  proxy = await startTcpProxy(url);
  connection = await connect(url);
  channel = await connection.createChannel();
});
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close();
});
afterAll(async () => {
  await connection.close();
  await proxy.close();
});

/** Creates a new, empty stream. With `maxBytes`, the stream stores only a few segments. */
async function freshStream(maxBytes?: number): Promise<void> {
  await channel.deleteQueue(stream);
  if (maxBytes === undefined) return declareTopology(connection, logger);
  await channel.assertExchange(exchange, 'topic', { durable: true });
  await channel.assertQueue(stream, {
    arguments: {
      'x-queue-type': 'stream',
      'x-max-length-bytes': maxBytes,
      'x-stream-max-segment-size-bytes': maxBytes / 4,
    },
  });
  await channel.bindQueue(stream, exchange, '#');
}
async function publish(count: number, remarks = ''): Promise<string[]> {
  const publisher = createPublisher({ url, name: 'test', logger });
  const messages = Array.from({ length: count }, (_, index) =>
    toMessage(orderCreated({ orderId: index + 1, remarks })),
  );
  for (let from = 0; from < count; from += 100) await publisher.publish(messages.slice(from, from + 100));
  await publisher.close();
  return messages.map(({ id }) => id);
}
function open(history: number, options: { maxSilenceMs?: number } = {}) {
  const { record, untilLive, close } = recordStream({ url: proxy.url, history, ...options });
  toClose.push(close);
  return { record, live: untilLive, close, ids: () => record.messages.map(({ id }) => id) };
}
function openArchive() {
  const archive = createStreamArchive({ url: proxy.url, logger });
  toClose.push(archive.close);
  return archive;
}
describe('the stream reader', () => {
  test('waits while the stream seems to be empty', async () => {
    await freshStream();
    const { ids, live, record } = open(20, { maxSilenceMs: 200 });
    await until(() => record.warnings.some((line) => line.includes('the stream seems to be empty')), {
      what: 'the stream to be empty',
    });
    const statesWhileEmpty = [...record.states];

    const published = await publish(3);

    await live();
    await until(() => ids().length === 3, { what: 'the messages' });
    expect(statesWhileEmpty).toEqual([]);
    expect(ids()).toEqual(published);
    expect(record.gaps).toBe(0);
  });

  test('reconnects if nothing arrives for too long', async () => {
    await freshStream();
    const before = await publish(3);
    const { ids, live, record, close } = open(20, { maxSilenceMs: 1500 });
    await live();

    await until(() => record.states.includes('lost'), { what: 'the silence to be noticed' });
    await live();
    const after = await publish(3);

    await until(() => ids().length === 6, { what: 'the new messages' });
    expect(ids()).toEqual([...before, ...after]);
    expect(record.gaps).toBe(0);
    await close();
  });

  test('starts with the newest messages and continues with new ones', async () => {
    await freshStream();
    const before = await publish(50);
    const { ids, live, record } = open(20);
    await live();

    expect(ids()).toEqual(before.slice(-20));

    const after = await publish(10);
    await until(() => ids().length === 30, { what: 'the new messages' });

    expect(ids()).toEqual([...before.slice(-20), ...after]);
    expect(record.states).toEqual(['catching_up', 'live']);
  });

  test('gets exactly the missed messages after its connection was lost', async () => {
    await freshStream();
    const before = await publish(5);
    const { ids, live, record } = open(20);
    await live();
    proxy.breakConnections();
    await until(() => record.states.includes('lost'), { what: 'the reader to be lost' });
    const meanwhile = await publish(5);

    await live();
    await until(() => ids().length === 10, { what: 'the missed messages' });

    expect(ids()).toEqual([...before, ...meanwhile]);
    expect(record.gaps).toBe(0);
  });

  test('reports a gap if the stream was deleted', async () => {
    await freshStream();
    await publish(20);
    const { ids, live, record } = open(100);
    await live();
    await channel.deleteQueue(stream);
    await until(() => record.states.at(-1) === 'lost', { what: 'the reader to be lost' });
    await declareTopology(connection, logger);
    const after = await publish(30); // the new stream has more messages than the old one

    await until(() => record.gaps === 1 && ids().length === 30, { what: 'the new messages', timeoutMs: 20_000 });

    await live();
    expect(ids()).toEqual(after);
  });

  test('accepts an existing stream with a different retention period', async () => {
    await freshStream(200_000);
    const before = await publish(5);
    const { ids, live } = open(20);
    await live();

    expect(ids()).toEqual(before);
  });
});

describe('the stream archive', () => {
  test('returns all messages after a position', async () => {
    await freshStream();
    const sent = await publish(2000);
    const archive = openArchive();
    const { signal } = new AbortController();

    expect(await archive.newest(signal)).toBe(1999);

    const ids: string[] = [];
    for await (const batch of archive.readAfter({ offset: 99, id: sent[99] ?? '' }, signal)) {
      if (batch === 'gap') throw new Error('gap');
      ids.push(...batch.map(({ id }) => id));
      if (ids.length >= 1900) break;
    }

    expect(ids).toEqual(sent.slice(100));
  });

  test('waits up to the time limit for a stream to reach an offset', async () => {
    await freshStream();
    await publish(5);
    const isLonger = findTailFrom(connection, { offset: 9, timeLimitMs: 20_000 });
    await publish(5);

    expect(await isLonger).toBe(9);

    expect(await findTailFrom(connection, { offset: 10, timeLimitMs: 300 })).toBe(9);
  });

  test('continues where it was after its connection was lost', async () => {
    await freshStream();
    const sent = await publish(3000);
    const archive = openArchive();
    const ids: string[] = [];
    let isBroken = false;
    for await (const batch of archive.readAfter({ offset: 0, id: sent[0] ?? '' }, new AbortController().signal)) {
      if (batch === 'gap') throw new Error('gap');
      ids.push(...batch.map(({ id }) => id));
      if (ids.length >= 2999) break;
      if (ids.length > 1000 && !isBroken) {
        isBroken = true;
        proxy.breakConnections();
      }
    }

    expect(ids).toEqual(sent.slice(1));
  });

  test.each([
    ['has another id at the position', { offset: 3, id: 'another' }],
    ['is shorter than the position', { offset: 2 ** 40, id: 'any' }],
  ])('reports a gap if the stream %s', async (_what, position) => {
    await freshStream();
    await publish(10);
    const signal = AbortSignal.timeout(15_000);
    const archive = openArchive();
    if (position.offset > (await archive.newest(signal))) return; // callers check the tail first, because reading would wait
    for await (const batch of archive.readAfter(position, signal)) {
      expect(batch).toBe('gap');
    }
  });

  test('reports a gap if the next messages are truncated while it reads', async () => {
    await freshStream(200_000);
    const [first = ''] = await publish(100, 'x'.repeat(300));
    const reading = readStream(connection, { from: { after: { offset: 0, id: first } }, prefetch: 10 });
    const { value } = (await reading.next()) as { value: readonly FeedMessage[] | 'gap' };

    expect(value).not.toBe('gap');

    await publish(3000, 'x'.repeat(300)); // truncates messages that have not been read

    let last = 0;
    for await (const batch of reading) {
      if (batch === 'gap') break;
      for (const { offset } of batch) {
        expect(offset).toBeLessThanOrEqual(last === 0 ? offset : last + 2);

        last = offset;
      }
      if (last >= (await findTail(connection))) throw new Error('the gap was not noticed');
    }
    for await (const batch of readStream(connection, { from: { after: { offset: 0, id: first } }, prefetch: 10 }))
      expect(batch).toBe('gap');
  });

  test('stops immediately if its signal is aborted', async () => {
    await freshStream();
    const [first = ''] = await publish(1);
    const stop = new AbortController();
    const reading = openArchive().readAfter({ offset: 0, id: first }, stop.signal);

    expect((await reading.next()).value).toEqual([]);

    setImmediate(() => stop.abort(new Error('aborted by the test')));

    await expect(reading.next()).rejects.toThrow('aborted by the test');
  });
});
