import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect, type ChannelModel } from 'amqplib';
import { orderCreated } from '@comanda/testing/event-factories';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startSilentBroker } from '@comanda/testing/silent-broker';
import { silentLogger } from '@comanda/testing/silent-logger';
import { until } from '@comanda/testing/until';
import { withTimeLimit } from '../runtime/time-limit.ts';
import { createPublisher, toMessage, type Message, type Publisher } from './publisher.ts';
import { findTail, readStream, type FeedMessage } from './read-stream.ts';
import { stream } from './topology.ts';

const messages = (count: number): Message[] =>
  Array.from({ length: count }, (_, index) => toMessage(orderCreated({ orderId: index + 1 })));
const ids = (of: readonly { id: string }[]): string[] => of.map(({ id }) => id);

let url: string;
let connection: ChannelModel;
let publisher: Publisher;

beforeAll(async () => {
  url = (await isolatedServers('publisher')).rabbitmqUrl;
  connection = await connect(url);
  publisher = createPublisher({ url, name: 'test', logger: silentLogger });
  await until(publisher.isUp, { what: 'the publisher to be up' });
});
afterAll(async () => {
  await publisher.close();
  await connection.close();
});

/** Reads all messages in the stream. */
async function readAll(): Promise<FeedMessage[]> {
  const all: FeedMessage[] = [];
  const tail = await findTail(connection);
  if (tail < 0) return all;
  for await (const batch of readStream(connection, { from: { offset: 0 }, prefetch: 1000 })) {
    if (batch === 'gap') throw new Error('gap');
    all.push(...batch);
    if (all.some(({ offset }) => offset >= tail)) break;
  }
  return all;
}

describe('the publisher', () => {
  test('publishes events to the stream in order, each with its id and type', async () => {
    const sent = messages(300);
    await Promise.all([publisher.publish(sent.slice(0, 100)), publisher.publish(sent.slice(100))]);

    const found = (await readAll()).slice(-300);

    expect(ids(found)).toEqual(ids(sent));
    expect(found[7]?.type).toBe('order.created');
    expect(JSON.parse(found[7]?.content.toString() ?? '')).toEqual(JSON.parse(sent[7]?.body ?? ''));
  });

  test('sends returned messages again, in order, to the new stream if the old one was deleted', async () => {
    await publisher.publish(messages(1));
    const channel = await connection.createChannel();
    await channel.deleteQueue(stream);

    const sent = messages(50);
    await Promise.all(sent.map((message) => publisher.publish([message])));

    const found = ids(await readAll());

    expect(found.filter((id, index) => found.indexOf(id) === index)).toEqual(ids(sent));
  });

  test('rejects the next message while 20,000 are waiting, and publishes those', async () => {
    const sent = messages(1);
    const [message] = sent;
    const accepted = publisher.publish(Array.from({ length: 20_000 }, () => message as Message));

    await expect(publisher.publish(sent)).rejects.toThrow('too many messages');

    await accepted;
    await publisher.publish(sent);
  });

  test('sends messages again, in order, on a new connection if the broker neither confirms nor rejects them', async () => {
    const silent = await startSilentBroker(url);
    const own = createPublisher({ url: silent.url, name: 'own', logger: silentLogger });
    try {
      await until(own.isUp, { what: 'the publisher to be up' });
      silent.loseConfirms();
      const sent = messages(3);

      await withTimeLimit(Promise.all(sent.map((message) => own.publish([message]))), {
        deadline: performance.now() + 20_000,
        onTimeout: () => new Error('not confirmed'),
      });

      expect(silent.connections()).toBe(2);
      expect(ids(await readAll()).slice(-6)).toEqual([...ids(sent), ...ids(sent)]);
    } finally {
      await own.close();
      await silent.close();
    }
  });

  test('waits for pending confirms before it closes, and accepts no more messages', async () => {
    const short = createPublisher({ url, name: 'short', logger: silentLogger });
    await until(short.isUp, { what: 'the publisher to be up' });
    const sent = messages(20);
    const published = short.publish(sent);
    await short.close();

    await published;

    expect(ids(await readAll()).slice(-20)).toEqual(ids(sent));
    await expect(short.publish(sent)).rejects.toThrow('closed');
  });

  test('rejects waiting messages if it is closed before it connects', async () => {
    const unconnected = createPublisher({ url: 'amqp://127.0.0.1:1', name: 'unconnected', logger: silentLogger });
    setImmediate(() => void unconnected.close());

    await expect(unconnected.publish(messages(1))).rejects.toThrow('closed');
    expect(unconnected.isUp()).toBe(false);
  });
});
