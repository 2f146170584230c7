import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startOwnServer, type OwnServer } from '@comanda/testing/own-server';
import { silentLogger } from '@comanda/testing/silent-logger';
import { createTestLogger } from '@comanda/testing/test-logger';
import { until } from '@comanda/testing/until';
import { connectRedis, redisProblem, type RedisLink } from './connection.ts';
import { watchRedis } from './watch-redis.ts';

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
  'with maxmemory-policy $policy, appendonly $appendonly and file $appendOnlyFile, the warnings are $expected',
  async ({ policy, appendonly, appendOnlyFile, expected }) => {
    const lines: string[] = [];
    const logger = createTestLogger('shared', { level: 'info', onLine: (line) => lines.push(line) });
    const link = connectRedis({ url: server.url, prefix: '', timeoutMs: 2000, logger: silentLogger });
    await until(link.isUp, { what: 'Redis to be up' });
    await link.client.config('SET', 'maxmemory-policy', policy);
    await link.client.config('SET', 'appendonly', appendonly);

    const watch = watchRedis({ link, appendOnlyFile, logger });
    // Redis replies to commands in order, so after this one it has replied to all commands of the check.
    await until(() => watch.warnings().length === expected.length, { what: 'the check' });
    await link.client.ping();
    await link.client.ping();
    await link.client.ping();

    expect(watch.warnings()).toEqual(expected);
    for (const warning of expected) expect(lines.join('')).toContain(warning);
    await watch.close();
    await link.close();
  },
);

describe('a Redis account that lacks rights', () => {
  const admin = (): RedisLink => connectRedis({ url: server.url, prefix: '', timeoutMs: 2000, logger: silentLogger });
  const unknown = expect.stringMatching(/^It is not known whether Redis keeps every key\. Allow INFO: NOPERM .*info/);
  const noScripts = expect.stringMatching(/^No PIN can be checked, .*Allow EVAL and EVALSHA: NOPERM .*eval/);

  test.each([
    { rights: '-info', expected: [unknown], mayRunScripts: true },
    { rights: '-eval', expected: [noScripts], mayRunScripts: false },
    { rights: '-config', expected: [], mayRunScripts: true },
  ])(
    'causes one warning for $rights until the missing right is granted',
    async ({ rights, expected, mayRunScripts }) => {
      const root = admin();
      await until(root.isUp, { what: 'Redis to be up' });
      await root.client.config('SET', 'maxmemory-policy', 'noeviction');
      await root.client.call('ACL', 'SETUSER', 'comanda', 'reset', 'on', '>secret', '~*', '+@all', rights);
      const url = server.url.replace('redis://', 'redis://comanda:secret@');
      const lines: string[] = [];
      const logger = createTestLogger('shared', { onLine: (line) => lines.push(line) });
      const link = connectRedis({ url, prefix: '', timeoutMs: 2000, logger: silentLogger });
      const watch = watchRedis({ link, appendOnlyFile: 'optional', logger });
      const check = async (): Promise<void> => {
        link.client.emit('ready');
        link.client.emit('ready'); // this happens while the first check is running
        for (let reply = 0; reply < 10; reply++) await link.client.ping();
      };
      await until(link.isUp, { what: 'the account to be connected' });
      await check();
      await until(() => watch.warnings().length === expected.length, { what: 'the check' });
      await check();

      expect([watch.warnings(), watch.mayRunScripts()]).toEqual([expected, mayRunScripts]);
      expect(lines).toHaveLength(expected.length);

      await root.client.call('ACL', 'SETUSER', 'comanda', '+@all');
      await check();

      await until(() => watch.warnings().length === 0, { what: 'no warning' });
      expect(watch.mayRunScripts()).toBe(true);
      await watch.close();
      await Promise.all([link.close(), root.close()]);
    },
  );

  test.each(['-eval', '-set'])('makes a script fail with a 503 if its rights are %s', async (rights) => {
    const root = admin();
    await until(root.isUp, { what: 'Redis to be up' });
    await root.client.call('ACL', 'SETUSER', 'comanda', 'reset', 'on', '>secret', '~*', '+@all', rights);
    const url = server.url.replace('redis://', 'redis://comanda:secret@');
    const link = connectRedis({ url, prefix: '', timeoutMs: 2000, logger: silentLogger });
    await until(link.isUp, { what: 'the account to be connected' });

    const error = await link.client
      .eval("return redis.call('SET', KEYS[1], '1')", 1, 'key')
      .catch((failure) => failure);

    expect(redisProblem(error)).toMatchObject({ status: 503 });
    await Promise.all([link.close(), root.close()]);
  });
});
