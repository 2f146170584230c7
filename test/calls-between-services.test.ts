import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ServiceName } from '@comanda/contracts/endpoint';
import { internalEndpoints } from '@comanda/contracts/internal';
import { serviceNames } from '@comanda/local-stack/stack-settings';
import { signatureHeader, signRequest, type ServiceIdentity } from '@comanda/shared/http/service-signature';
import { startRestaurant } from '@comanda/testing/restaurant';
import type { Stack } from '@comanda/testing/stack';
import { testService } from '@comanda/testing/test-secrets';

let stack: Stack;
beforeAll(async () => {
  stack = await startRestaurant('between');
});
afterAll(() => stack?.close());

const text = '{"step_up_token":"a.b.c"}';
/** All calls that services make to each other, from the registry of contracts. */
const calls = internalEndpoints.map((contract) => ({
  ...contract,
  path: contract.path.replace('{id}', '999999'),
  what: `${contract.method} ${contract.path}`,
  callers: contract.callers ?? [],
}));
type Call = (typeof calls)[number];

const sign = (service: ServiceIdentity, { method, path, body }: Pick<Call, 'method' | 'path' | 'body'>): string =>
  signRequest(service, { method, target: path, body: Buffer.from(body ? text : '') }).header;

/**
 * Makes the call with this signature and a manager's access token. Returns the status and problem code, or an empty string for a
 * success.
 */
async function send({ service, method, path, body }: Call, signature?: string): Promise<string> {
  const response = await fetch(stack.services[service].url + path, {
    method,
    headers: {
      authorization: `Bearer ${stack.managerToken}`,
      ...(body && { 'content-type': 'application/json' }),
      ...(signature !== undefined && { [signatureHeader]: signature }),
    },
    ...(body && { body: text }),
  });
  const { code = '' } = (await response.json()) as { code?: string };
  return `${response.status} ${code}`.trim();
}

describe.each(calls)('$what', (call) => {
  const [caller] = call.callers;

  test('is rejected with a 403 if it has no signature, even for a manager', async () => {
    expect(await send(call)).toBe('403 caller_not_allowed');
    expect(await send(call, '')).toBe('403 caller_not_allowed');
  });

  test('is rejected with a 403 if it is signed with a wrong secret', async () => {
    const secret = Buffer.alloc(32, 1).toString('base64');
    for (const name of serviceNames)
      expect(await send(call, sign({ name, secret }, call))).toBe('403 caller_not_allowed');
  });

  test('is rejected with a 403 if another service has signed it', async () => {
    const others = serviceNames.filter((name) => !call.callers.includes(name));
    for (const name of others) {
      const { secret } = testService(name);
      expect(await send(call, sign({ name, secret }, call))).toBe('403 caller_not_allowed');
      expect(await send(call, sign({ name: caller as ServiceName, secret }, call))).toBe('403 caller_not_allowed');
    }
  });

  test("is rejected with a 403 if it has another call's signature", async () => {
    const service = testService(caller as ServiceName);
    const signature = sign(service, { ...call, path: `${call.path}/x` });
    expect(await send(call, signature)).toBe('403 caller_not_allowed');
  });

  test('succeeds if its caller has signed it', async () => {
    expect(await send(call, sign(testService(caller as ServiceName), call))).toMatch(
      /^(200|400 validation_failed|404 not_found)$/,
    );
  });
});

test('the key set is public, but its response is signed only for callers with the right secret', async () => {
  const response = await fetch(`${stack.services['auth-stepup'].url}/.well-known/jwks.json`, {
    headers: {
      [signatureHeader]: sign({ name: 'orders', secret: Buffer.alloc(32, 1).toString('base64') }, calls[0] as Call),
    },
  });

  expect([response.status, response.headers.get(signatureHeader)]).toEqual([200, null]);
});
