// Orders a second from 64 hands to the kitchen's screen through gateway, orders, stream and notifier, all on this machine;
// the peer is the same way without MongoDB and outbox. An order that was accepted and does not arrive fails the run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { caller } from '@comanda/testing/call';
import { openFeedClient } from '@comanda/testing/feed-client';
import { startServiceProcess } from '@comanda/testing/service-process';
import { startBenchHouse } from './stack.ts';
import { compare } from './support.ts';

const hands = 64;
const seconds = 5;

const house = await startBenchHouse();
const manager = caller(house.gatewayUrl, { token: house.managerToken });
await manager('POST', '/menu', { body: { name: 'Feijoada', price: '32.50' } });
const kitchen = openFeedClient(house.notifierUrl, { token: house.managerToken, retryRefused: true });
await kitchen.untilStatus('live', 20_000);

const jwksUrl = `${house.services['auth-stepup'].url}/.well-known/jwks.json`;
const stub = spawn(
  process.execPath,
  ['--conditions=source', fileURLToPath(new URL('orders-without-store.ts', import.meta.url))],
  {
    env: { PATH: process.env['PATH'], JWKS_URL: jwksUrl, RABBITMQ_URL: house.servers.rabbitmqUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
const [port] = (await once(stub.stdout, 'data')) as [Buffer];
const peerGateway = await startServiceProcess('gateway', {
  LOG_LEVEL: 'warn',
  JWKS_URL: jwksUrl,
  REDIS_URL: house.servers.redisUrl,
  ORDERS_URL: `http://127.0.0.1:${Number(port.toString())}`,
  RATE_LIMIT_USER: '100000000',
});

/** Orders that arrived a second, until the last that was accepted is on the screen. */
async function saturate(gatewayUrl: string): Promise<number> {
  const pool = new Pool(gatewayUrl, { connections: hands });
  const waiting = new Set<string>();
  let arrived = 0;
  const onEvent = ({ type, subject }: { type: string; subject: string }): void => {
    if (type !== 'order.created') return;
    arrived++;
    if (!waiting.delete(subject)) early.add(subject);
  };
  const early = new Set<string>();
  kitchen.socket.on('event', onEvent);
  const begun = performance.now();
  const hand = async (): Promise<void> => {
    while (performance.now() - begun < seconds * 1000) {
      const { statusCode, body } = await pool.request({
        path: '/orders',
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${house.managerToken}` },
        body: '{"items":[{"name":"Feijoada","quantity":2,"remarks":"sem pimenta"}],"table":"12"}',
      });
      const order = (await body.json()) as { id: number };
      if (statusCode !== 201) throw new Error(`refused: ${statusCode} ${JSON.stringify(order)}`);
      if (!early.delete(String(order.id))) waiting.add(String(order.id));
    }
  };
  await Promise.all(Array.from({ length: hands }, hand));
  for (let tries = 0; waiting.size > 0 && tries < 1500; tries++) await pause(10);
  const took = (performance.now() - begun) / 1000;
  kitchen.socket.off('event', onEvent);
  kitchen.events.length = 0;
  await pool.close();
  if (waiting.size > 0) throw new Error(`lost: ${waiting.size} orders`);
  return arrived / took;
}

try {
  await saturate(house.gatewayUrl); // warms up
  await saturate(peerGateway.url);
  await compare({
    name: 'order-saturation',
    what: 'orders to the kitchen at saturation, nothing lost',
    unit: 'orders/s',
    ours: () => saturate(house.gatewayUrl),
    peers: { 'without outbox and MongoDB': { run: () => saturate(peerGateway.url), atLeast: 0.5 } },
  });
} finally {
  kitchen.close();
  await peerGateway.end('SIGTERM');
  stub.kill('SIGTERM');
  await house.stop();
}
