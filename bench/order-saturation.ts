// Measures how many orders per second get from 64 clients to the kitchen's feed through the gateway, orders, stream and notifier,
// all on this machine. The baseline is the same path without MongoDB and the outbox. The run fails if an accepted order does not
// arrive.
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { testSecrets, testServiceSettings } from '@comanda/testing/test-secrets';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { caller } from '@comanda/testing/call';
import { openFeedClient } from '@comanda/testing/feed-client';
import { startServiceProcess } from '@comanda/testing/service-process';
import { startPeer } from './peers/start-peer.ts';
import { startBenchStack, unlimited } from './stack.ts';
import { compare } from './support.ts';

const clients = 64;
const seconds = 5;

const stack = await startBenchStack();
const manager = caller(stack.gatewayUrl, { token: stack.managerToken });
await manager('POST', '/menu', { body: { name: 'Feijoada', price: '32.50' } });
const kitchen = openFeedClient(stack.notifierUrl, { token: stack.managerToken, retryRefused: true });
await kitchen.untilStatus('live', 20_000);

const authUrl = stack.services['auth-stepup'].url;
const stub = await startPeer('orders-without-store.ts', {
  env: {
    JWKS_URL: `${authUrl}/.well-known/jwks.json`,
    RABBITMQ_URL: stack.servers.rabbitmqUrl,
    ...testServiceSettings('orders'),
  },
});
const urls = { orders: stub.url, 'auth-stepup': authUrl };
const peerGateway = await startServiceProcess('gateway', {
  ...stackSettings({ urls, servers: stack.servers, secrets: testSecrets() }).gateway,
  ...unlimited,
  LOG_LEVEL: 'warn',
});

/** Returns how many orders per second arrived, once the last accepted order has arrived. */
async function saturate(gatewayUrl: string): Promise<number> {
  const pool = new Pool(gatewayUrl, { connections: clients });
  const waiting = new Set<string>();
  let arrived = 0;
  const onEvent = ({ type, subject }: { type: string; subject: string }): void => {
    if (type !== 'order.created') return;
    arrived++;
    if (!waiting.delete(subject)) early.add(subject);
  };
  const early = new Set<string>();
  kitchen.socket.on('event', onEvent);
  const started = performance.now();
  const client = async (): Promise<void> => {
    while (performance.now() - started < seconds * 1000) {
      const { statusCode, body } = await pool.request({
        path: '/orders',
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${stack.managerToken}` },
        body: '{"items":[{"name":"Feijoada","quantity":2,"remarks":"sem pimenta"}],"table":"12"}',
      });
      const order = (await body.json()) as { id: number };
      if (statusCode !== 201) throw new Error(`refused: ${statusCode} ${JSON.stringify(order)}`);
      if (!early.delete(String(order.id))) waiting.add(String(order.id));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  for (let tries = 0; waiting.size > 0 && tries < 1500; tries++) await pause(10);
  const took = (performance.now() - started) / 1000;
  kitchen.socket.off('event', onEvent);
  kitchen.events.length = 0;
  await pool.close();
  if (waiting.size > 0) throw new Error(`lost: ${waiting.size} orders`);
  return arrived / took;
}

try {
  await saturate(stack.gatewayUrl); // a warm-up
  await saturate(peerGateway.url);
  await compare({
    name: 'order-saturation',
    what: 'orders to the kitchen at saturation, nothing lost',
    unit: 'orders/s',
    ours: () => saturate(stack.gatewayUrl),
    peers: { 'without outbox and MongoDB': { run: () => saturate(peerGateway.url), atLeast: 0.7 } },
  });
} finally {
  kitchen.close();
  await peerGateway.end('SIGTERM');
  stub.end();
  await stack.close();
}
