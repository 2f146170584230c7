import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { stackSettings } from '@comanda/local-stack/stack-settings';
import { caller, codeOf, created, type Call } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { patient } from '@comanda/testing/patient';
import { startServiceProcess, type ServiceProcess } from '@comanda/testing/service-process';
import { startTestIssuer, type TestIssuer } from '@comanda/testing/test-issuer';
import { testSecrets } from '@comanda/testing/test-secrets';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are checked against their contract
type Json = any;
let issuer: TestIssuer;
let service: ServiceProcess;
let call: Call;
beforeAll(async () => {
  const servers = await isolatedServers('orders-move-items-killed');
  issuer = await startTestIssuer();
  const stack = stackSettings({ urls: { 'auth-stepup': issuer.url }, servers, secrets: testSecrets() });
  service = await startServiceProcess('orders', { ...stack.orders, LOG_LEVEL: 'error' });
  await service.ready();
  call = caller(service.url, { token: issuer.token({ sub: 1, role: 'manager' }) });
});
afterAll(async () => {
  await service.end('SIGTERM');
  await issuer.close();
});

type Request = { path: string; body: object; key: string };
const send = ({ path, body, key }: Request, sender: Call) =>
  sender(path.includes('/items/') && !path.endsWith('remake') ? 'PUT' : 'POST', path, {
    body,
    headers: { 'idempotency-key': key },
  });

test('a move, a remake and a partial cancellation happen once, even if the service is killed and all are sent again', async () => {
  const dish = created(await call('POST', '/menu', { body: { name: 'Beer', price: '10.00', portions_left: 1000 } }));
  const orders: Json[] = [];
  for (let count = 0; count < 10; count++)
    orders.push(created(await call('POST', '/orders', { body: { items: [{ item_id: dish.id, quantity: 5 }] } })));
  const requests = orders.flatMap(({ id, items: [item] }): Request[] => [
    {
      path: `/orders/${id}/move-items`,
      body: { items: [{ id: item.id, quantity: 1 }], table: '9' },
      key: randomUUID(),
    },
    { path: `/orders/${id}/items/${item.id}/remake`, body: { quantity: 1, reason: 'Burnt' }, key: randomUUID() },
    { path: `/orders/${id}/items/${item.id}`, body: { status: 'cancelled', quantity_left: 2 }, key: randomUUID() },
  ]);

  const early = Promise.allSettled(requests.map((request) => send(request, call)));
  await sleep(30);
  await service.end('SIGKILL');
  await early;
  await service.start();
  await service.ready();
  const retry = patient(call);
  for (const request of requests) expect(['200', '201']).toContain(codeOf(await send(request, retry)));

  const all: Json[] = (await call('GET', '/orders?limit=200')).body;
  const items = all.flatMap((order) => order.items);
  const count = (holds: (item: Json) => boolean): number =>
    items.filter(holds).reduce((sum: number, { quantity }: Json) => sum + quantity, 0);
  const isMoved = ({ id }: Json): boolean => all.some((order) => order.split_from && order.items[0].id === id);
  expect(all.filter((order) => order.split_from)).toHaveLength(orders.length);
  expect({ moved: count(isMoved), remade: count(({ remake }) => remake) }).toEqual({ moved: 10, remade: 10 });
  // A move after a cancellation finds one unit less, so only the sum is always the same.
  expect(count(({ remake }) => !remake)).toBe(5 * orders.length);
  for (const {
    id,
    items: [item],
  } of orders) {
    const left = all.find((order) => order.id === id).items.find((each: Json) => each.id === item.id);
    expect([1, 2]).toContain(left.quantity);
  }
});
