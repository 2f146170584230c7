import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { endSigned } from '@comanda/testing/signed-response';
import { silentLogger as logger } from '@comanda/testing/silent-logger';
import { testService } from '@comanda/testing/test-secrets';
import { until } from '@comanda/testing/until';
import { createKeySet, type KeySet } from './key-set.ts';

const newJwk = (kid: string, members: object = {}): object => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...publicKey.export({ format: 'jwk' }), kid, use: 'sig', alg: 'ES256', ...members };
};
const first = newJwk('first');
const next = newJwk('next');

let served: { status: number; keys: unknown[] };
let fetches = 0;
let nowMs = 0;
let source: Server;
let keys: KeySet;
beforeAll(async () => {
  source = createServer((req, res) => {
    fetches++;
    res.statusCode = served.status;
    endSigned(req, res, JSON.stringify({ keys: served.keys }));
  });
  source.listen(0, '127.0.0.1');
  await once(source, 'listening');
});
beforeEach(() => {
  nowMs = 1_800_000_000_000;
  fetches = 0;
  served = { status: 200, keys: [first] };
  const jwksUrl = `http://127.0.0.1:${(source.address() as AddressInfo).port}/`;
  keys = createKeySet({ jwksUrl, service: testService('orders'), purpose: 'tokens', logger, clock: () => nowMs });
});
afterEach(() => keys.close());
afterAll(async () => {
  source.closeAllConnections();
  source.close();
  await once(source, 'close');
});

const isFound = async (kid: string): Promise<boolean> => (await keys.key(kid)) !== undefined;
const unavailable = expect.objectContaining({ code: 'service_unavailable', headers: { 'Retry-After': '1' } });

describe('the key set', () => {
  test('is fetched only once if many keys are needed at the same time', async () => {
    await Promise.all(Array.from({ length: 50 }, () => keys.key('first')));

    expect(fetches).toBe(1);
  });

  test('contains only the keys for its purpose', async () => {
    served.keys.push(newJwk('receipts', { purpose: 'receipts' }));

    expect([await isFound('first'), await isFound('receipts')]).toEqual([true, false]);
  });

  test("isn't used before its first fetch, which each check starts, at most once a second", async () => {
    served = { status: 503, keys: [] };
    expect([keys.isRead(), keys.isRead()]).toEqual([false, false]);
    await until(() => fetches === 1, { what: 'a fetch' });
    await expect(keys.key('first')).rejects.toEqual(unavailable);
    served = { status: 200, keys: [first] };
    expect(keys.isRead()).toBe(false);
    expect(fetches).toBe(1);

    await until(() => keys.isRead(), { what: 'readiness' });
    expect(fetches).toBe(2);
    served = { status: 503, keys: [] };
    nowMs += 3_600_000;
    expect(keys.isRead()).toBe(true); // the last key set is still used
  });

  test('gets a new key immediately, but is fetched at most once in 10 s for unknown keys', async () => {
    await keys.key('first');
    served.keys.push(next);
    nowMs += 10_000;

    expect([await isFound('next'), fetches]).toEqual([true, 2]);

    await Promise.all(Array.from({ length: 20 }, () => keys.key(randomUUID())));
    nowMs += 9999;
    expect([await isFound('unknown'), fetches]).toEqual([false, 2]);

    nowMs += 1;
    expect([await isFound('unknown'), fetches]).toEqual([false, 3]);
  });

  test('is fetched again after 4 minutes, while the old one is still used', async () => {
    await keys.key('first');
    served.keys = [next];
    nowMs += 240_000;

    expect(keys.has('first')).toBe(true);

    await until(() => fetches === 2 && !keys.has('first'), { what: 'the key to be removed' });
  });

  test('loses a removed key immediately if the clock is set back, because its age is then unknown', async () => {
    await keys.key('first');
    served.keys = [next];
    nowMs -= 3_600_000;

    expect([keys.has('first'), await isFound('first'), await isFound('next')]).toEqual([false, false, true]);
    expect(fetches).toBe(2);
  });

  test('loses a removed key 10 s after its source is back if the source was down when the 5 minutes ended', async () => {
    await keys.key('first');
    served = { status: 500, keys: [next] };
    nowMs += 300_000;

    expect([await isFound('first'), fetches]).toEqual([true, 2]);

    served.status = 200;
    nowMs += 10_000;
    keys.has('first'); // this starts a fetch in the background
    await until(() => !keys.has('first'), { what: 'the key to be removed' });
  });

  test.each([
    ['fails', { status: 500, keys: [] }],
    ['returns no keys', { status: 200, keys: [] }],
    ['returns keys of another kind', { status: 200, keys: [{ kty: 'RSA', kid: 'x' }] }],
    [
      'returns an invalid key',
      { status: 200, keys: [next, { kty: 'EC', crv: 'P-256', kid: 'broken', x: 'AA', y: 'AA' }] },
    ],
  ])('stays in use if its source %s', async (_what, broken) => {
    await keys.key('first');
    served = broken;
    nowMs += 300_000;

    expect([await isFound('unknown'), await isFound('first'), fetches]).toEqual([false, true, 2]);
  });

  test('is unavailable after a failed first fetch, until the next fetch a second later', async () => {
    served.status = 500;
    await expect(keys.key('first')).rejects.toEqual(unavailable);
    served.status = 200;
    await expect(keys.key('first')).rejects.toEqual(unavailable);

    nowMs += 1000;
    expect(await isFound('first')).toBe(true);
  });
});
