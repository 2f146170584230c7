import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { publicSignIns } from '@comanda/local-stack/demo-sign-ins';
import { seedDemo } from '@comanda/local-stack/seed';
import { caller, created } from '@comanda/testing/call';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { startStack, type Stack } from '@comanda/testing/stack';
import { choosePin, tokenFor, withoutLimits } from '@comanda/testing/step-up-calls';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack(await isolatedServers('demo-data'), withoutLimits);
}, 120_000);
afterAll(() => stack?.close());

test('when an attempt was interrupted after it had added the waiter, then the next one completes the demo', async () => {
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

  await seedDemo({ gatewayUrl, createManager, log: () => undefined });

  const { status } = await caller(gatewayUrl, { token: await tokenOf(waiter) })('GET', '/orders');
  expect(status).toBe(200);
});

async function tokenOf(user: { email: string; password: string }): Promise<string> {
  const { body } = await stack.call('POST', '/auth/login', { body: user });
  return (body as { access_token: string }).access_token;
}
