// Latency from `POST /orders` to the kitchen's feed, through gateway, MongoDB, outbox, stream and Socket.IO, at 100 orders
// per second. The peer publishes the same bytes to RabbitMQ and pushes them over a raw WebSocket.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'amqplib';
import { WebSocket } from 'ws';
import { caller } from '@comanda/testing/call';
import { openFeedClient } from '@comanda/testing/feed-client';
import { startBenchStack } from './stack.ts';
import { compare, limit, percentile } from './support.ts';

const perSecond = 100;
const seconds = 8;

/** Calls `send` at a constant rate, independent of the response times. */
async function pace(send: (index: number) => Promise<void>): Promise<void> {
  const begun = performance.now();
  const sent: Promise<void>[] = [];
  for (let index = 0; index < perSecond * seconds; index++) {
    const waitMs = begun + (index * 1000) / perSecond - performance.now();
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

/** Milliseconds from the call to the arrival, in order of arrival. */
async function measureOurs(): Promise<number[]> {
  const begun = new Map<string, number>();
  const took: number[] = [];
  const body = (mark: string) =>
    JSON.stringify({ items: [{ name: 'Feijoada', quantity: 2, remarks: mark }], table: '12' });
  const onEvent = (event: { type: string; data: { order?: { items: { remarks: string }[] } } }): void => {
    const mark = event.data.order?.items[0]?.remarks ?? '';
    const at = begun.get(mark);
    if (event.type === 'order.created' && at !== undefined) took.push(performance.now() - at);
  };
  kitchen.socket.on('event', onEvent);
  await pace(async (index) => {
    const mark = `${index}-${Math.random()}`;
    begun.set(mark, performance.now());
    const answer = await fetch(`${stack.gatewayUrl}/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${stack.managerToken}` },
      body: body(mark),
    });
    if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  });
  for (let tries = 0; took.length < begun.size && tries < 500; tries++) await pause(10);
  kitchen.socket.off('event', onEvent);
  if (took.length !== begun.size) throw new Error(`lost: ${begun.size - took.length} of ${begun.size} orders`);
  return took;
}

function keep(all: number[][], round: number[]): number[] {
  all.push(round);
  return round;
}

const feed = spawn(
  process.execPath,
  [fileURLToPath(new URL('raw-feed.ts', import.meta.url)), stack.servers.rabbitmqUrl],
  {
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
const [port] = (await once(feed.stdout, 'data')) as [Buffer];
const socket = new WebSocket(`ws://127.0.0.1:${Number(port.toString())}`);
await once(socket, 'open');
const connection = await connect(stack.servers.rabbitmqUrl);
const channel = await connection.createConfirmChannel();

async function measurePeer(): Promise<number[]> {
  const begun = new Map<number, number>();
  const took: number[] = [];
  const padding = 'x'.repeat(1000);
  const onMessage = (data: Buffer): void => {
    const { index } = JSON.parse(data.toString()) as { index: number };
    took.push(performance.now() - (begun.get(index) ?? NaN));
  };
  socket.on('message', onMessage);
  await pace((index) => {
    begun.set(index, performance.now());
    channel.publish('raw', 'order', Buffer.from(JSON.stringify({ index, padding })), { persistent: true });
    return Promise.resolve();
  });
  for (let tries = 0; took.length < begun.size && tries < 500; tries++) await pause(10);
  socket.off('message', onMessage);
  return took;
}

// Each round is measured once; both percentiles are of the same rounds.
const rounds = { ours: [] as number[][], peer: [] as number[][] };
try {
  await measureOurs(); // warms up
  await measurePeer();
  await compare({
    name: 'order-to-kitchen-p50',
    what: `order → kitchen's feed at ${perSecond}/s, median`,
    unit: 'ms',
    ours: async () => percentile(keep(rounds.ours, await measureOurs()), 0.5),
    peers: {
      'raw AMQP + raw ws': { run: async () => percentile(keep(rounds.peer, await measurePeer()), 0.5), atMost: 5 },
    },
  });
  const [again, peerAgain] = [rounds.ours.values(), rounds.peer.values()];
  await compare({
    name: 'order-to-kitchen-p99',
    what: `order → kitchen's feed at ${perSecond}/s, p99 of the same rounds`,
    unit: 'ms',
    ours: () => Promise.resolve(percentile(again.next().value ?? [], 0.99)),
    peers: {
      'raw AMQP + raw ws': { run: () => Promise.resolve(percentile(peerAgain.next().value ?? [], 0.99)), atMost: 5 },
    },
  });
  const limits = rounds.ours.values();
  await limit({
    name: 'order-to-kitchen-p99-limit',
    what: `order → kitchen's feed at ${perSecond}/s, p99 of the same rounds`,
    unit: 'ms',
    ours: () => Promise.resolve(percentile(limits.next().value ?? [], 0.99)),
    atMost: 40,
  });
} finally {
  kitchen.close();
  socket.terminate();
  await connection.close();
  feed.kill('SIGTERM');
  await stack.close();
}
