import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startRestaurant } from '@comanda/testing/restaurant';
import type { Stack } from '@comanda/testing/stack';
import { CallFailure, createClient, type Client } from '../src/index.ts';
import { startProxy, type Proxy } from './support/proxy.ts';

let stack: Stack;
let proxy: Proxy;
let ana: Client;
beforeAll(async () => {
  stack = await startRestaurant('client-in-between');
  proxy = await startProxy(stack.gatewayUrl);
  ana = createClient({ url: proxy.url, patienceMs: 1000 });
  const { email, password } = await stack.customer('Ana');
  await ana.signIn({ email, password });
});
afterEach(() => {
  proxy.respond = () => null;
});
afterAll(async () => {
  ana?.close();
  proxy?.close();
  await stack?.close();
});

const feijoada = { items: [{ name: 'Feijoada', quantity: 1 }], table: '12' };
const portal = 'http://127.0.0.1:9/login';
const failureOf = async (call: Promise<unknown>) => {
  const failure: unknown = await call.catch((error: unknown) => error);
  if (!(failure instanceof CallFailure)) throw new Error(`not a CallFailure: ${String(failure)}`);
  const { code, status, outcome, isUndecided } = failure;
  return { code, status, outcome, isUndecided };
};

test.each([
  ['a firewall', 403, {}],
  ['a proxy without a server behind it', 502, {}],
  ['a proxy whose time limit has passed', 504, {}],
  ['a network that requires a sign-in', 511, {}],
  ['a network that shows its sign-in page', 200, {}],
  ['a network that redirects to its sign-in page', 302, { location: portal }],
  ['a network that redirects the request with its body', 307, { location: portal }],
])(
  "a call stays pending and fails with the response's status when %s responds with %i",
  async (_who, status, headers) => {
    proxy.respond = () => ({ status, headers });

    const failure = await failureOf(ana.calls.placeOrder(feijoada));

    expect(failure).toEqual({ code: 'unreachable', status, outcome: 'unknown', isUndecided: true });
    expect(ana.pendingCalls()).toHaveLength(1);
    proxy.respond = () => null;
    for (const { key, input } of ana.pendingCalls())
      await ana.calls.placeOrder(input as never, { idempotencyKey: key });
    expect(ana.pendingCalls()).toEqual([]);
  },
);

test('a call that an outbox makes is not stored a second time', async () => {
  proxy.respond = () => ({ status: 502 });

  const failure = await failureOf(ana.calls.placeOrder(feijoada, { repeat: 'never' }));

  expect([failure, ana.pendingCalls()]).toMatchObject([{ code: 'unreachable', outcome: 'unknown' }, []]);
});

test('a call that a proxy rejects as too large has no effect', async () => {
  let tries = 0;
  proxy.respond = () => {
    tries++;
    return { status: 413 };
  };

  const failure = await failureOf(ana.calls.placeOrder(feijoada));

  expect(failure).toEqual({ code: 'body_too_large', status: undefined, outcome: 'none', isUndecided: false });
  expect([tries, ana.pendingCalls().length]).toEqual([1, 0]);
});

test("an order is retried after a proxy's 502, and placed once", async () => {
  const before = (await ana.calls.listOrders()).length;
  let isFirst = true;
  proxy.respond = () => {
    const wasFirst = isFirst;
    isFirst = false;
    return wasFirst ? { status: 502 } : null;
  };

  await ana.calls.placeOrder(feijoada);

  expect((await ana.calls.listOrders()).length).toBe(before + 1);
});

test("a JSON problem with an unknown code counts as a proxy's response, not the server's", async () => {
  const headers = { 'content-type': 'application/problem+json' };
  proxy.respond = () => ({ status: 503, headers, html: '{"type":"about:blank","title":"Service Unavailable"}' });

  expect(await failureOf(ana.calls.listOrders())).toMatchObject({ code: 'unreachable', status: 503 });
});
