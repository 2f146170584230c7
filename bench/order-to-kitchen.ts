// Measures the latency from `POST /orders` to the kitchen's feed through the gateway, MongoDB, outbox, stream and Socket.IO, at
// 100 orders per second. There are two baselines. The hand-written services (bench/peers) make the same call through a gateway, a
// journaled majority insert, AMQP and ws. The raw path stores nothing, publishes the same bytes to RabbitMQ and pushes them over
// a WebSocket.
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'amqplib';
import { WebSocket } from 'ws';
import { caller } from '@comanda/testing/call';
import { openFeedClient } from '@comanda/testing/feed-client';
import { startPeer } from './peers/start-peer.ts';
import { startBenchStack } from './stack.ts';
import { compare, limit, percentile } from './support.ts';

const perSecond = 100;
const seconds = 8;

/** Calls `send` at a constant rate, even if responses are slow. */
async function pace(send: (index: number) => Promise<void>): Promise<void> {
  const started = performance.now();
  const sent: Promise<void>[] = [];
  for (let index = 0; index < perSecond * seconds; index++) {
    const waitMs = started + (index * 1000) / perSecond - performance.now();
    if (waitMs > 0) await pause(waitMs);
    sent.push(send(index));
  }
  await Promise.all(sent);
}

const stack = await startBenchStack();
const manager = caller(stack.gatewayUrl, { token: stack.managerToken });
await manager('POST', '/menu', { body: { name: 'Feijoada', price: '32.50' } });
const kitchen = openFeedClient(stack.notifierUrl, { token: stack.managerToken, retryRefused: true });
await kitchen.untilStatus('live', 20_000);

type Placed = { items: { remarks: string }[] };
/**
 * A side of the comparison. `url` is where orders are placed. `listen` calls `onOrder` for each order that arrives, and returns a
 * function that stops listening.
 */
type Side = { url: string; listen: (onOrder: (order: Placed) => void) => () => void };

/** Returns the milliseconds from each call to the arrival of its order, sorted by arrival. */
async function measure({ url, listen }: Side): Promise<number[]> {
  const started = new Map<string, number>();
  const took: number[] = [];
  const stop = listen((order) => {
    const at = started.get(order.items[0]?.remarks ?? '');
    if (at !== undefined) took.push(performance.now() - at);
  });
  await pace(async (index) => {
    const mark = `${index}-${Math.random()}`;
    started.set(mark, performance.now());
    const response = await fetch(`${url}/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${stack.managerToken}` },
      body: JSON.stringify({ items: [{ name: 'Feijoada', quantity: 2, remarks: mark }], table: '12' }),
    });
    if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  });
  for (let tries = 0; took.length < started.size && tries < 500; tries++) await pause(10);
  stop();
  if (took.length !== started.size) throw new Error(`lost: ${started.size - took.length} of ${started.size} orders`);
  return took;
}

const ours: Side = {
  url: stack.gatewayUrl,
  listen: (onOrder) => {
    const onEvent = ({ type, data }: { type: string; data: { order?: Placed } }): void => {
      if (type === 'order.created' && data.order) onOrder(data.order);
    };
    kitchen.socket.on('event', onEvent);
    return () => kitchen.socket.off('event', onEvent);
  },
};

const authUrl = stack.services['auth-stepup'].url;
const common = { JWKS_URL: `${authUrl}/.well-known/jwks.json`, RABBITMQ_URL: stack.servers.rabbitmqUrl };
const ordersPeer = await startPeer('orders.ts', { env: { ...common, MONGODB_URI: stack.servers.mongodbUri } });
const gatewayPeer = await startPeer('gateway.ts', { env: { ...common, ORDERS_URL: ordersPeer.url } });
const feedPeer = await startPeer('feed.ts', { env: common });
const screen = new WebSocket(feedPeer.url, { headers: { authorization: `Bearer ${stack.managerToken}` } });
await once(screen, 'open');
const handWritten: Side = {
  url: gatewayPeer.url,
  listen: (onOrder) => {
    const onMessage = (text: Buffer): void => {
      onOrder((JSON.parse(text.toString()) as { data: { order: Placed } }).data.order);
    };
    screen.on('message', onMessage);
    return () => screen.off('message', onMessage);
  },
};

const feed = await startPeer('raw-feed.ts', { env: common });
const socket = new WebSocket(feed.url);
await once(socket, 'open');
const connection = await connect(stack.servers.rabbitmqUrl);
const channel = await connection.createConfirmChannel();

async function measureRaw(): Promise<number[]> {
  const started = new Map<number, number>();
  const took: number[] = [];
  const padding = 'x'.repeat(1000);
  const onMessage = (data: Buffer): void => {
    const { index } = JSON.parse(data.toString()) as { index: number };
    took.push(performance.now() - (started.get(index) ?? NaN));
  };
  socket.on('message', onMessage);
  await pace((index) => {
    started.set(index, performance.now());
    channel.publish('raw', 'order', Buffer.from(JSON.stringify({ index, padding })), { persistent: true });
    return Promise.resolve();
  });
  for (let tries = 0; took.length < started.size && tries < 500; tries++) await pause(10);
  socket.off('message', onMessage);
  return took;
}

// Each round is measured only once, so all percentiles come from the same rounds.
const sides = {
  ours: () => measure(ours),
  'hand-written': () => measure(handWritten),
  'raw AMQP + raw ws': measureRaw,
};
type Name = keyof typeof sides;
const rounds: Record<Name, number[][]> = { ours: [], 'hand-written': [], 'raw AMQP + raw ws': [] };
const median = (name: Name) => async (): Promise<number> => {
  const round = await sides[name]();
  rounds[name].push(round);
  return percentile(round, 0.5);
};
/** Returns a function that yields the p99 of the rounds that `median` has measured, one round per call. */
const p99 = (name: Name) => {
  const measured = rounds[name].values();
  return (): Promise<number> => Promise.resolve(percentile(measured.next().value ?? [], 0.99));
};
try {
  for (const warmUp of Object.values(sides)) await warmUp();
  await compare({
    name: 'order-to-kitchen-p50',
    what: `order → kitchen's feed at ${perSecond}/s, median`,
    unit: 'ms',
    ours: median('ours'),
    peers: {
      'hand-written': { run: median('hand-written'), atMost: 1.5 },
      'raw AMQP + raw ws': { run: median('raw AMQP + raw ws'), atMost: 6 },
    },
  });
  await compare({
    name: 'order-to-kitchen-p99',
    what: `order → kitchen's feed at ${perSecond}/s, p99 of the same rounds`,
    unit: 'ms',
    ours: p99('ours'),
    peers: {
      'hand-written': { run: p99('hand-written'), atMost: 1.5 },
      'raw AMQP + raw ws': { run: p99('raw AMQP + raw ws'), atMost: 8 },
    },
  });
  await limit({
    name: 'order-to-kitchen-p99-limit',
    what: `order → kitchen's feed at ${perSecond}/s, p99 of the same rounds`,
    unit: 'ms',
    ours: p99('ours'),
    atMost: 20,
  });
} finally {
  kitchen.close();
  socket.terminate();
  screen.terminate();
  await connection.close();
  for (const peer of [feed, feedPeer, gatewayPeer, ordersPeer]) peer.end();
  await stack.close();
}
