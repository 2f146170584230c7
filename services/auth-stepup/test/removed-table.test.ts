import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { codeOf } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { recordEvents, type RecordedEvents } from '@comanda/testing/recorded-events';
import { startTcpProxy, type TcpProxy } from '@comanda/testing/tcp-proxy';
import { until } from '@comanda/testing/until';
import { startAuthStepupHarness, type AuthStepupHarness } from './support/harness.ts';
import { startOrdersStub, type OrdersStub } from './support/orders-stub.ts';

let orders: OrdersStub;
let auth: AuthStepupHarness;
let events: RecordedEvents;
let broker: TcpProxy | undefined;
let startBroker: () => Promise<void>;
beforeAll(async () => {
  orders = await startOrdersStub();
  const servers = await isolatedServers('auth-removed-table');
  const { rabbitmqUrl } = servers;
  const port = await freePort();
  const nobody = Object.assign(new URL(rabbitmqUrl), { port: String(port) }).href;
  auth = await startAuthStepupHarness({ servers, settings: { ORDERS_URL: orders.url, RABBITMQ_URL: nobody } });
  events = await recordEvents(rabbitmqUrl);
  startBroker = async () => {
    broker = await startTcpProxy(rabbitmqUrl, { port });
  };
});
afterAll(async () => {
  await auth?.close();
  await orders?.close();
  await events?.close();
  await broker?.close();
});

test('a table removed while RabbitMQ is down frees its name at once, and its events are published later', async () => {
  const [table, manager] = ['T-1', await auth.newSession(await auth.manager())];
  const call = auth.as(manager);
  const { table_token } = (await call('PUT', `/tables/${table}`)).body;
  await auth.call('POST', '/auth/guest', { body: { table_token } });

  const removed = await call('DELETE', `/tables/${table}`);
  const listed = await call('GET', '/tables');
  const added = await call('PUT', `/tables/${table}`);
  await startBroker();

  expect([removed, added].map(codeOf)).toEqual(['204', '201']);
  expect(listed.body).toEqual([]);
  const published = await events.waitFor('table.changed', table, 2);
  expect(published.map(({ data }) => (data as { reason: string }).reason)).toEqual(['opened', 'closed']);
  const waiting = () => auth.connection.collection('usuarios').countDocuments({ 'outbox.0': { $exists: true } });
  await until(async () => (await waiting()) === 0, { what: 'an empty outbox' });
});
