// Measures how fast a client receives 100,000 missed events after it reconnects. The baseline reads the stream with plain
// amqplib.
import { connect, type ConsumeMessage } from 'amqplib';
import { toMessage } from '@comanda/shared/messaging/publisher';
import { stream } from '@comanda/shared/messaging/topology';
import { orderCreated } from '@comanda/testing/event-factories';
import { openFeedClient } from '@comanda/testing/feed-client';
import { startBenchFeed } from './feed/notifier.ts';
import { startClients } from './feed/processes.ts';
import { compare } from './support.ts';

const events = 100_000;
const feed = await startBenchFeed();
const message = (index: number) => toMessage(orderCreated({ orderId: index, remarks: 'x'.repeat(400) }));

/** Publishes an event and then 100,000 more. Returns the first event's cursor. */
async function prepare(): Promise<string> {
  const screen = openFeedClient(feed.url, { token: feed.token, retryRefused: true });
  await screen.untilStatus('live', 20_000);
  const first = new Promise<string>((resolve) =>
    screen.socket.once('event', (_event, cursor: string) => resolve(cursor)),
  );
  await feed.publisher.publish([message(1)]);
  const cursor = await first;
  screen.close();
  for (let index = 0; index < events; index += 1000)
    await feed.publisher.publish(Array.from({ length: 1000 }, (_, next) => message(index + next + 2)));
  return cursor;
}

/** Returns the number of events per second since `started`. */
const rate = (started: number): number => (events * 1000) / (performance.now() - started);

async function replay(after: string): Promise<number> {
  const started = performance.now();
  const clients = await startClients({ url: feed.url, token: feed.token, after, sockets: 1, events });
  await clients.done;
  clients.stop();
  return rate(started);
}
async function readBare(): Promise<number> {
  const started = performance.now();
  const connection = await connect(feed.brokerUrl, { noDelay: true });
  const channel = await connection.createChannel();
  await channel.prefetch(500);
  const { promise, resolve } = Promise.withResolvers<void>();
  let read = 0;
  const onMessage = (delivered: ConsumeMessage | null): void => {
    if (!delivered) return;
    channel.ack(delivered);
    if (++read === events) resolve();
  };
  await channel.consume(stream, onMessage, { arguments: { 'x-stream-offset': 'first' } });
  await promise;
  const figure = rate(started);
  await connection.close();
  return figure;
}

try {
  const after = await prepare();
  await compare({
    name: 'replay',
    what: `${events} events to one client`,
    unit: 'events/s',
    ours: () => replay(after),
    peers: { 'raw stream reader': { run: readBare, atLeast: 0.8 } },
  });
} finally {
  await feed.stop();
}
