import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { demoOptionGroups } from '@comanda/local-stack/demo-option-groups';
import { publicSignIns, type DemoSignIns } from '@comanda/local-stack/demo-sign-ins';
import { seedDemo } from '@comanda/local-stack/seed';
import { caller, created } from '@comanda/testing/call';
import { startStackHere, type Stack } from '@comanda/testing/stack';
import { choosePin, tokenFor, withoutLimits } from '@comanda/testing/step-up-calls';

let stack: Stack;
beforeAll(async () => {
  stack = await startStackHere('demo-data', { ...withoutLimits, MENU_STEP_UP: 'on' });
});
afterAll(() => stack?.close());

test('an interrupted demo is completed by the next attempt, even if each call fails once', async () => {
  const { auth, gatewayUrl, createManager } = stack;
  const { manager: marta, waiter, customer, second, managerPin } = publicSignIns;
  await auth.addUser({ name: 'Marta', role: 'manager', ...marta });
  await auth.addUser({ name: 'Ana', role: 'customer', ...customer });
  await auth.addUser({ name: 'Bruno', role: 'customer', ...second });
  const manager = caller(gatewayUrl, { token: await tokenOf(marta) });
  created(await choosePin(manager, managerPin));
  const headers = { 'x-step-up-token': await tokenFor(manager, 'user.manage', managerPin) };
  const body = { name: 'Wagner', email: waiter.email, password: 'a password that nobody knows', role: 'waiter' };
  created(await manager('POST', '/users', { body, headers }));

  const busy = await startBusyServer({ isDone: false });
  await seedDemo({ gatewayUrl: busy.url, createManager, log: () => undefined }).finally(busy.close);

  expect(busy.refused).toContain('PUT /tables/12');
  expectFewPins(busy);
  const { status } = await caller(gatewayUrl, { token: await tokenOf(waiter) })('GET', '/orders');
  expect(status).toBe(200);
});

test('the demo has no duplicates if the first response to each call was a 504', async () => {
  const { gatewayUrl, createManager } = stack;
  const names = ['manager', 'customer', 'second', 'waiter'] as const;
  const others = names.map((name) => [
    name,
    { email: `other-${name}@comanda.test`, password: publicSignIns[name].password },
  ]);
  const signIns = { ...publicSignIns, ...Object.fromEntries(others) } as DemoSignIns;
  const busy = await startBusyServer({ isDone: true });

  await seedDemo({ gatewayUrl: busy.url, createManager, log: () => undefined, signIns }).finally(busy.close);

  expectFewPins(busy);
  const { body } = await caller(gatewayUrl, { token: await tokenOf(signIns.customer) })('GET', '/accounts');
  expect(body).toMatchObject([{ balance: '1000.00' }]);
  expect((await caller(gatewayUrl, { token: await tokenOf(signIns.waiter) })('GET', '/orders')).status).toBe(200);
});

/** Each token needs a PIN check, and the gateway allows 10 a minute. Only the test that runs first adds the menu. */
const expectFewPins = ({ withToken }: { withToken: readonly string[] }): void =>
  expect(withToken.filter((call) => /menu|option-groups/.test(call)).length).toBeLessThanOrEqual(
    2 + demoOptionGroups.length,
  );

/**
 * Starts the stack behind a server that makes each call fail once, like a slow machine. The first response is 503 or, with
 * `isDone`, 504 although the call was processed.
 */
async function startBusyServer({ isDone }: { isDone: boolean }) {
  const refused = new Set<string>();
  /** The calls with a step-up token. */
  const withToken: string[] = [];
  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    const call = `${method} ${url}`;
    const isRefused = !refused.has(call);
    refused.add(call);
    if (headers['x-step-up-token'] !== undefined) withToken.push(call);
    const refuse = (): void => {
      response.writeHead(isDone ? 504 : 503, { 'content-type': 'application/problem+json', 'retry-after': '0' });
      response.end(JSON.stringify({ code: 'service_unavailable', detail: 'Too many concurrent writes.' }));
    };
    if (isRefused && !isDone) {
      request.resume();
      refuse();
      return;
    }
    const forwarded = send(stack.gatewayUrl + url, { method, headers }, (answer) => {
      if (isRefused) answer.resume().once('end', refuse);
      else answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers));
    });
    request.pipe(forwarded);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, refused, withToken, close: () => server.close().closeAllConnections() };
}

async function tokenOf(user: { email: string; password: string }): Promise<string> {
  const { body } = await stack.call('POST', '/auth/login', { body: user });
  return (body as { access_token: string }).access_token;
}
