import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startOwnServer, type OwnServer } from '@comanda/testing/own-server';
import { silentLogger } from '@comanda/testing/silent-logger';
import { createTestLogger } from '@comanda/testing/test-logger';
import { until } from '@comanda/testing/until';
import { connectRedis } from './connection.ts';
import { watchRedisDurability } from './durability.ts';

let server: OwnServer;
beforeAll(async () => {
  server = await startOwnServer('redis');
});
afterAll(() => server.discard());

const eviction = 'Redis deletes keys when its memory is full. Set maxmemory-policy to noeviction; it is allkeys-lru.';
const noAppendOnlyFile = 'Redis loses its latest writes when it restarts. Set appendonly to yes.';

test.each([
  { policy: 'noeviction', appendonly: 'yes', appendOnlyFile: 'required', expected: [] },
  { policy: 'noeviction', appendonly: 'no', appendOnlyFile: 'optional', expected: [] },
  { policy: 'noeviction', appendonly: 'no', appendOnlyFile: 'required', expected: [noAppendOnlyFile] },
  { policy: 'allkeys-lru', appendonly: 'yes', appendOnlyFile: 'required', expected: [eviction] },
  { policy: 'allkeys-lru', appendonly: 'no', appendOnlyFile: 'required', expected: [eviction, noAppendOnlyFile] },
] as const)(
  'when maxmemory-policy is $policy, appendonly $appendonly and a file $appendOnlyFile, then the warnings are $expected',
  async ({ policy, appendonly, appendOnlyFile, expected }) => {
    const lines: string[] = [];
    const logger = createTestLogger('shared', { level: 'info', onLine: (line) => lines.push(line) });
    const link = connectRedis({ url: server.url, prefix: '', timeoutMs: 2000, logger: silentLogger });
    await until(link.isUp, { what: 'Redis to be up' });
    await link.client.config('SET', 'maxmemory-policy', policy);
    await link.client.config('SET', 'appendonly', appendonly);

    const durability = watchRedisDurability({ link, appendOnlyFile, logger });
    // A reply to this command comes after those to the check.
    await until(() => durability.warnings().length === expected.length, { what: 'the check' });
    await link.client.ping();
    await link.client.ping();
    await link.client.ping();

    expect(durability.warnings()).toEqual(expected);
    for (const warning of expected) expect(lines.join('')).toContain(warning);
    await durability.close();
    await link.close();
  },
);
