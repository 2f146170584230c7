import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startStackHere, type Stack } from '@comanda/testing/stack';
import { withoutLimits } from '@comanda/testing/step-up-calls';
import { CallFailure, createClient, type Client } from '../src/index.ts';

const pin = '739152';
let stack: Stack;
let restaurantAccount: number;
const clients: Client[] = [];
beforeAll(async () => {
  // One PIN is being hashed, and one PIN per address group may wait. All other PINs get status 503.
  const crowded = { PIN_HASH_WORKERS: '1', PIN_HASH_QUEUE: '4' };
  stack = await startStackHere('client-pins', { ...withoutLimits, ...crowded });
  restaurantAccount = (await guest()).account;
});
afterAll(async () => {
  for (const client of clients) client.close();
  await stack?.close();
});

/** Signs in a guest on a phone, with a PIN and an empty account. `checks` lists the response statuses for the guest's PINs. */
async function guest(sendPin: typeof fetch = fetch) {
  const { email, password } = await stack.customer('Ana');
  const checks: number[] = [];
  let asked = 0;
  const client = createClient({
    url: stack.gatewayUrl,
    fetch: async (input, init) => {
      if (!new Request(input).url.endsWith('/security/step-up')) return fetch(input, init);
      const response = await sendPin(input, init);
      checks.push(response.status);
      return response;
    },
    onConsent: async () => {
      asked++;
      return { transaction_password: pin };
    },
  });
  clients.push(client);
  await client.signIn({ email, password });
  await stack.auth.storePin({ id: (await client.calls.me()).id }, pin);
  const { id: account } = await client.calls.openAccount({ name: 'Ana' });
  /** Tries a transfer and returns the failure's code. The transfer always fails, because the account is empty. */
  const transfer = async (signal?: AbortSignal): Promise<unknown> => {
    const input = { from_account_id: account, to_account_id: restaurantAccount, amount: '1.00' };
    const failure: unknown = await client.calls
      .transferMoney(input, signal ? { signal } : {})
      .catch((error: unknown) => error);
    return failure instanceof CallFailure ? failure.code : failure;
  };
  return { account, checks, transfer, timesAsked: () => asked };
}
/** Creates the response that auth-stepup sends when too many PINs are waiting. */
const turnedAway = (members: object): Response =>
  Response.json(
    { type: '/problems/service_unavailable', title: '', status: 503, code: 'service_unavailable', ...members },
    { status: 503, headers: { 'content-type': 'application/problem+json', 'retry-after': '2' } },
  );
const statusesOf = (guests: readonly { checks: number[] }[]): number[] => guests.flatMap(({ checks }) => checks);

test('twelve guests on one Wi-Fi enter their PINs at the same time and are each asked once', async () => {
  const guests = await Promise.all(Array.from({ length: 12 }, () => guest()));

  const codes = await Promise.all(guests.map(({ transfer }) => transfer()));

  expect(statusesOf(guests)).toContain(503);
  expect(codes).toEqual(Array<string>(12).fill('insufficient_funds'));
  expect(guests.map(({ timesAsked }) => timesAsked())).toEqual(Array<number>(12).fill(1));
});

test('a guest who leaves while the PIN is queued does not send the PIN again', async () => {
  const reason = new Error('the guest left');
  const leaving = new AbortController();
  const leaver = await guest(async () => {
    setTimeout(() => leaving.abort(reason), 50);
    return turnedAway({});
  });

  expect(await leaver.transfer(leaving.signal)).toBe(reason);
  expect(leaver.checks).toEqual([503]);
});

test('a PIN is not sent again if checking it may have used up an attempt', async () => {
  const unsure = await guest(async () => turnedAway({ outcome: 'unknown' }));

  expect(await unsure.transfer()).toBe('service_unavailable');
  expect(unsure.checks).toEqual([503]);
});
