import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from 'amqplib';
import type { Channel, ChannelModel } from 'amqplib';
import { orderCreated } from '@comanda/testing/event-factories';
import { startTcpProxy } from '@comanda/testing/tcp-proxy';
import type { TcpProxy } from '@comanda/testing/tcp-proxy';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { silentLogger as logger } from '@comanda/testing/silent-logger';
import { until } from '@comanda/testing/until';
import { createPublisher, toMessage } from './publisher.ts';
import { findTail, findTailFrom, readStream } from './read-stream.ts';
import { createStreamArchive, createStreamReader } from './stream-reader.ts';
import type { FeedMessage, ReaderState } from './stream-reader.ts';
import { declareTopology, exchange, stream } from './topology.ts';

let url: string;
let cable: TcpProxy;
let connection: ChannelModel;
let channel: Channel;
const toClose: (() => Promise<void>)[] = [];

beforeAll(async () => {
  url = (await isolatedServers('stream-reader')).rabbitmqUrl;
  cable = await startTcpProxy(url);
  connection = await connect(url);
  channel = await connection.createChannel();
});
afterEach(async () => {
  for (const close of toClose.splice(0).toReversed()) await close();
});
afterAll(async () => {
  await connection.close();
  await cable.close();
});

/** A new and empty stream, with no more than a few segments where `maxBytes` says so. */
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
function open(history: number) {
  const read: FeedMessage[] = [];
  const states: ReaderState[] = [];
  let gaps = 0;
  const reader = createStreamReader({
    url: cable.url,
    name: 'test',
    logger,
    history,
    onMessage: (message) => void read.push(message),
    onState: (state) => void states.push(state),
    onGap: () => {
      gaps++;
      read.length = 0;
    },
  });
  toClose.push(reader.close);
  return {
    reader,
    states,
    gaps: () => gaps,
    ids: () => read.map(({ id }) => id),
    live: () => until(() => reader.state() === 'live', { what: 'the reader to be live', timeoutMs: 10_000 }),
  };
}
function openArchive() {
  const archive = createStreamArchive({ url: cable.url, name: 'test', logger });
  toClose.push(archive.close);
  return archive;
}
describe('stream reader', () => {
  test('when it starts, then it reads the newest there are, and goes on with what comes', async () => {
    await freshStream();
    const before = await publish(50);
    const { ids, live, states } = open(20);
    await live();
    expect(ids()).toEqual(before.slice(-20));

    const after = await publish(10);
    await until(() => ids().length === 30, { what: 'the new ones' });
    expect(ids()).toEqual([...before.slice(-20), ...after]);
    expect(states).toEqual(['catching_up', 'live']);
  });

  test('when its connection breaks, then it is lost, and goes on with exactly what came meanwhile', async () => {
    await freshStream();
    const before = await publish(5);
    const { ids, live, states, gaps } = open(20);
    await live();
    cable.breakConnections();
    await until(() => states.includes('lost'), { what: 'the loss to be noticed' });
    const meanwhile = await publish(5);

    await live();
    await until(() => ids().length === 10, { what: 'what came meanwhile' });
    expect(ids()).toEqual([...before, ...meanwhile]);
    expect(gaps()).toBe(0);
  });

  test('when the stream was made anew, then it says that there is a gap, and reads the new one', async () => {
    await freshStream();
    await publish(20);
    const { ids, live, gaps } = open(20);
    await live();
    await channel.deleteQueue(stream);
    await until(() => gaps() === 1, { what: 'the gap', timeoutMs: 20_000 });

    await live();
    const after = await publish(30); // longer than the old one was
    await until(() => ids().length === 30, { what: 'the new ones' });
    expect(ids()).toEqual(after);
  });

  test('when the stream was empty and its connection breaks, then it cannot prove anything, and says so', async () => {
    await freshStream();
    const { live, states, gaps } = open(20);
    await live();
    cable.breakConnections();
    await until(() => states.includes('lost'), { what: 'the loss to be noticed' });
    await live();
    expect(gaps()).toBe(1);
  });

  test('when the stream is there with another retention, then it is used as it is', async () => {
    await freshStream(200_000);
    const before = await publish(5);
    const { ids, live } = open(20);
    await live();
    expect(ids()).toEqual(before);
  });
});

describe('reading the stream again', () => {
  test('when it is read from a position, then all that came after it is there, and the position itself is not', async () => {
    await freshStream();
    const sent = await publish(2000);
    const archive = openArchive();
    const { signal } = new AbortController();
    expect(await archive.newest(signal)).toBe(1999);

    const ids: string[] = [];
    for await (const portion of archive.readAfter({ offset: 99, id: sent[99] ?? '' }, signal)) {
      if (portion === 'gap') throw new Error('gap');
      ids.push(...portion.map(({ id }) => id));
      if (ids.length >= 1900) break;
    }
    expect(ids).toEqual(sent.slice(100));
  });

  test('when the stream ends before a place, then it is asked again, and believed after a while', async () => {
    await freshStream();
    await publish(5);
    const isLonger = findTailFrom(connection, { offset: 9, patienceMs: 20_000 });
    await publish(5);
    expect(await isLonger).toBe(9);

    const begun = performance.now();
    expect(await findTailFrom(connection, { offset: 10, patienceMs: 300 })).toBe(9);
    expect(performance.now() - begun).toBeGreaterThan(290);
  });

  test('when its connection breaks, then it goes on where it was', async () => {
    await freshStream();
    const sent = await publish(3000);
    const archive = openArchive();
    const ids: string[] = [];
    let isBroken = false;
    for await (const portion of archive.readAfter({ offset: 0, id: sent[0] ?? '' }, new AbortController().signal)) {
      if (portion === 'gap') throw new Error('gap');
      ids.push(...portion.map(({ id }) => id));
      if (ids.length >= 2999) break;
      if (ids.length > 1000 && !isBroken) {
        isBroken = true;
        cable.breakConnections();
      }
    }
    expect(ids).toEqual(sent.slice(1));
  });

  test.each([
    ['has another id there', { offset: 3, id: 'another' }],
    ['is of a longer stream', { offset: 2 ** 40, id: 'any' }],
  ])('when the stream %s, then that is a gap', async (_what, position) => {
    await freshStream();
    await publish(10);
    const signal = AbortSignal.timeout(15_000);
    const archive = openArchive();
    if (position.offset > (await archive.newest(signal))) return; // told by the tail, since reading would wait for it
    for await (const portion of archive.readAfter(position, signal)) {
      expect(portion).toBe('gap');
    }
  });

  test('when what comes next has been truncated, then that is a gap, also in mid-reading', async () => {
    await freshStream(200_000);
    const [first = ''] = await publish(100, 'x'.repeat(300));
    const reading = readStream(connection, { from: { after: { offset: 0, id: first } }, prefetch: 10 });
    const { value } = (await reading.next()) as { value: readonly FeedMessage[] | 'gap' };
    expect(value).not.toBe('gap');
    await publish(3000, 'x'.repeat(300)); // pushes out what has not been read

    let last = 0;
    for await (const portion of reading) {
      if (portion === 'gap') break;
      for (const { offset } of portion) {
        expect(offset).toBeLessThanOrEqual(last === 0 ? offset : last + 2);
        last = offset;
      }
      if (last >= (await findTail(connection))) throw new Error('it has read on as if nothing had been lost');
    }
    for await (const portion of readStream(connection, { from: { after: { offset: 0, id: first } }, prefetch: 10 }))
      expect(portion).toBe('gap');
  });

  test('when it is given up, then it ends at once', async () => {
    await freshStream();
    const [first = ''] = await publish(1);
    const stop = new AbortController();
    const reading = openArchive().readAfter({ offset: 0, id: first }, stop.signal);
    expect((await reading.next()).value).toEqual([]);
    setImmediate(() => stop.abort(new Error('given up')));
    await expect(reading.next()).rejects.toThrow('given up');
  });
});
