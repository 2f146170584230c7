// The stages of an order on its way to the kitchen, each alone, at 100 a second: the write, against one bare journaled
// majority insert of the same document; the gateway, against orders without one; and the way from a publisher to a screen,
// against raw AMQP and a raw WebSocket. Medians of five rounds.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'amqplib';
import { toMessage } from '@comanda/shared/messaging/publisher';
import { caller } from '@comanda/testing/call';
import { orderCreated } from '@comanda/testing/event-factories';
import { openFeedClient } from '@comanda/testing/feed-client';
import { WebSocket } from 'ws';
import { startBenchFeed } from './feed/notifier.ts';
import { placementOf, randomLines, startOrderWriter } from './orders/order-writer.ts';
import { createByInsert } from './orders/peers.ts';
import { startBenchStack } from './stack.ts';
import { compare, percentile } from './support.ts';

const perSecond = 100;
const seconds = 6;

/** The median in milliseconds of what `call` takes, begun at a constant rate. */
const medianOf = (call: (index: number) => Promise<unknown>) => async (): Promise<number> => {
  const begun = performance.now();
  const calls: Promise<number>[] = [];
  for (let index = 0; index < perSecond * seconds; index++) {
    const waitMs = begun + (index * 1000) / perSecond - performance.now();
    if (waitMs > 0) await pause(waitMs);
    const at = performance.now();
    calls.push(call(index).then(() => performance.now() - at));
  }
  return percentile(await Promise.all(calls), 0.5);
};

await measureWrite();
await measureHttp();
await measureFeed();

async function measureWrite(): Promise<void> {
  const bench = await startOrderWriter();
  const insert = createByInsert(bench);
  const write = medianOf(() => bench.writer.place(placementOf(randomLines())));
  const bare = medianOf(() => insert(randomLines()));
  await write();
  await compare({
    name: 'stage-write',
    what: `an order is checked, numbered and stored, at ${perSecond}/s, median`,
    unit: 'ms',
    ours: write,
    peers: { 'one bare journaled majority insert': { run: bare, atMost: 2 } },
  });
  await bench.stop();
}

async function measureHttp(): Promise<void> {
  const stack = await startBenchStack();
  const manager = caller(stack.gatewayUrl, { token: stack.managerToken });
  await manager('POST', '/menu', { body: { name: 'Feijoada', price: '32.50' } });
  const place = (url: string) =>
    medianOf(async () => {
      const response = await fetch(`${url}/orders`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${stack.managerToken}` },
        body: JSON.stringify({ items: [{ name: 'Feijoada', quantity: 2, remarks: 'sem pimenta' }], table: '12' }),
      });
      if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
      await response.arrayBuffer();
    });
  const [withGateway, without] = [place(stack.gatewayUrl), place(stack.services.orders.url)];
  await withGateway();
  await compare({
    name: 'stage-gateway',
    what: `POST /orders through the gateway, at ${perSecond}/s, median`,
    unit: 'ms',
    ours: withGateway,
    peers: { 'orders without a gateway': { run: without, atMost: 1.3 } },
  });
  await stack.close();
}

async function measureFeed(): Promise<void> {
  const feed = await startBenchFeed();
  const screen = openFeedClient(feed.url, { token: feed.token, retryRefused: true });
  await screen.untilStatus('live', 20_000);
  const arrivals = new Map<string, () => void>();
  screen.socket.on('event', ({ subject }: { subject: string }) => arrivals.get(subject)?.());
  let last = 0;
  const ours = medianOf(async () => {
    const orderId = ++last;
    const arrived = new Promise<void>((resolve) => arrivals.set(String(orderId), resolve));
    await feed.publisher.publish([toMessage(orderCreated({ orderId, remarks: 'x'.repeat(400) }))]);
    await arrived;
    arrivals.delete(String(orderId));
  });

  const rawFeed = spawn(process.execPath, [fileURLToPath(new URL('raw-feed.ts', import.meta.url)), feed.brokerUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(rawFeed.stdout, 'data')) as [Buffer];
  const socket = new WebSocket(`ws://127.0.0.1:${Number(port.toString())}`);
  await once(socket, 'open');
  const connection = await connect(feed.brokerUrl, { noDelay: true });
  const channel = await connection.createConfirmChannel();
  socket.on('message', (text: Buffer) => arrivals.get((JSON.parse(text.toString()) as { id: string }).id)?.());
  const padding = 'x'.repeat(1000);
  const raw = medianOf(async () => {
    const id = `raw-${++last}`;
    const arrived = new Promise<void>((resolve) => arrivals.set(id, resolve));
    channel.publish('raw', 'order', Buffer.from(JSON.stringify({ id, padding })), { persistent: true });
    await arrived;
    arrivals.delete(id);
  });
  await ours();
  await raw();
  await compare({
    name: 'stage-feed',
    what: `an event from its publisher through stream and notifier to a screen, at ${perSecond}/s, median`,
    unit: 'ms',
    ours,
    peers: { 'raw AMQP + raw ws': { run: raw, atMost: 4 } },
  });
  screen.close();
  socket.terminate();
  await connection.close();
  rawFeed.kill('SIGTERM');
  await feed.stop();
}
