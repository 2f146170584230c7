import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect as connectTo, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { startOwnServer, type OwnServer } from '@comanda/testing/own-server';
import { silentLogger } from '@comanda/testing/silent-logger';
import { createTestLogger } from '@comanda/testing/test-logger';
import { until } from '@comanda/testing/until';
import { Redis } from 'ioredis';
import { connectRedis, redisProblem, type RedisLink } from './connection.ts';

let server: OwnServer;
const links: RedisLink[] = [];
beforeAll(async () => {
  server = await startOwnServer('redis');
});
afterEach(async () => {
  for (const link of links.splice(0)) await link.close();
});
afterAll(() => server.discard());

async function connect({ timeoutMs = 5000 } = {}) {
  const link = connectRedis({ url: server.url, prefix: 'test:', timeoutMs, logger: silentLogger });
  links.push(link);
  await until(link.isUp, { what: 'Redis to be up' });
  return link;
}
/** Blocks the event loop without using CPU time, so that the Redis server can run in the meantime. */
function blockEventLoop(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
/** Waits until the commands of this turn of the event loop are written, because their time limit starts then. */
const untilWritten = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe("a command's time limit", () => {
  test("doesn't reject a reply that arrived in time while the event loop was busy", async () => {
    const { client } = await connect({ timeoutMs: 400 });

    for (let round = 0; round < 3; round++) {
      const reply = client.set(`key-${round}`, 'value');
      await untilWritten();
      blockEventLoop(1000);
      expect(await reply).toBe('OK');
    }
  });

  test('causes a 503 if there is no reply', async () => {
    const { client } = await connect({ timeoutMs: 50 });
    server.kill('SIGSTOP');

    const error = await errorOf(client.get('key'));

    server.kill('SIGCONT');
    expect(error).toMatchObject({ message: 'Command timed out' });
    expect(redisProblem(error)).toMatchObject({ code: 'service_unavailable' });
  });

  test("doesn't start for commands that fail immediately", async () => {
    const { client, close } = await connect();
    await close();
    await until(() => client.status === 'end', { what: 'the end of the connection' });
    const timers = (): number => process.getActiveResourcesInfo().filter((what) => what === 'Timeout').length;
    const before = timers();

    for (let count = 0; count < 100; count++) await errorOf(client.get('key'));
    await untilWritten();

    expect(timers() - before).toBeLessThan(50);
  });
});

/** Starts a fake Sentinel that reports `server` as the primary. It forwards all other requests to `server`. */
async function startSentinel() {
  const { hostname, port: primaryPort } = new URL(server.url);
  let held: PromiseWithResolvers<void> | undefined;
  let asked: PromiseWithResolvers<void> | undefined;
  const listener = createServer((socket) => {
    const upstream = connectTo(Number(primaryPort), hostname).on('error', () => socket.destroy());
    upstream.pipe(socket);
    socket.on('error', () => upstream.destroy()).on('close', () => upstream.destroy());
    socket.on('data', (chunk) => {
      if (chunk.includes('get-master-addr-by-name')) {
        asked?.resolve();
        void Promise.resolve(held?.promise).then(() =>
          socket.write(`*2\r\n$${hostname.length}\r\n${hostname}\r\n$${primaryPort.length}\r\n${primaryPort}\r\n`),
        );
      } else if (chunk.includes('sentinels')) socket.write('*0\r\n'); // there are no other Sentinels
      else upstream.write(chunk);
    });
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    url: `redis+sentinel://127.0.0.1:${(listener.address() as AddressInfo).port}/primary`,
    /** Delays the Sentinel's responses from now on. Resolves when a client requests the primary. */
    hold: (): Promise<void> => {
      [held, asked] = [Promise.withResolvers(), Promise.withResolvers()];
      return asked.promise;
    },
    release: (): void => held?.resolve(),
    close: () => listener.close(),
  };
}

test('the connection recovers from a failover during a Sentinel lookup', async () => {
  const sentinel = await startSentinel();
  const admin = new Redis(server.url);
  const link = connectRedis({ url: sentinel.url, prefix: 'test:', timeoutMs: 5000, logger: silentLogger });
  links.push(link);
  const listeners = async (): Promise<number> => Number((await admin.pubsub('NUMSUB', '+switch-master'))[1]);
  await until(async () => link.isUp() && (await listeners()) === 1, {
    what: 'Redis to be up, and its failovers heard',
  });
  const asked = sentinel.hold();
  await admin.call('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
  await asked;
  await admin.publish('+switch-master', 'primary');
  await until(async () => (await listeners()) === 0, { what: 'the failover to be heard' });
  sentinel.release();

  await until(link.isUp, { what: 'Redis to be up again' });
  expect(await link.client.set('key', 'value')).toBe('OK');

  await link.close();
  admin.disconnect();
  sentinel.close();
});

test('commands from one turn of the event loop are written together', async () => {
  const { client } = await connect();
  const waiting = (): boolean => client.stream.writableLength > 0;

  const replies = ['a', 'b', 'c'].map((key) => client.set(key, key));
  const beforeItsEnd = waiting();
  await new Promise(setImmediate);

  expect([beforeItsEnd, waiting()]).toEqual([true, false]);
  expect(await Promise.all(replies)).toEqual(['OK', 'OK', 'OK']);
  expect(await client.get('b')).toBe('b');
});

describe("a Redis server that currently can't write", () => {
  const write = ({ client }: RedisLink): Promise<unknown> =>
    client.eval("return redis.call('SET', KEYS[1], 'value')", 1, 'key');
  const configure = (name: string, value: string) => async (link: RedisLink) => {
    const [, before = ''] = await link.client.config('GET', name);
    await link.client.config('SET', name, value);
    return async () => void (await link.client.config('SET', name, before));
  };
  const states: [string, (link: RedisLink) => Promise<() => Promise<void>>][] = [
    ['OOM', configure('maxmemory', '1')],
    ['NOREPLICAS', configure('min-replicas-to-write', '1')],
    [
      'READONLY',
      async ({ client }) => {
        await client.replicaof('127.0.0.1', 9);
        return async () => void (await client.replicaof('NO', 'ONE'));
      },
    ],
    [
      'MASTERDOWN',
      async (link) => {
        const restore = await configure('replica-serve-stale-data', 'no')(link);
        await link.client.replicaof('127.0.0.1', 9);
        return async () => {
          await link.client.replicaof('NO', 'ONE');
          await restore();
        };
      },
    ],
    [
      'MISCONF',
      async (link) => {
        // Makes snapshots fail: Redis can't save the file while a directory has its name.
        mkdirSync(join(server.dataDir, 'dump.rdb'), { recursive: true });
        const restore = await configure('save', '3600 1')(link);
        await link.client.bgsave();
        await until(async () => (await link.client.info('persistence')).includes('rdb_last_bgsave_status:err'), {
          what: 'the snapshot to fail',
        });
        return restore;
      },
    ],
    [
      'BUSY',
      async (link) => {
        const restore = await configure('busy-reply-threshold', '1')(link);
        const other = await connect();
        const endless = errorOf(other.client.eval('while true do end', 0));
        await until(async () => (await errorOf(link.client.get('key'))) !== null, { what: 'the script to run' });
        return async () => {
          await link.client.script('KILL');
          await endless;
          await restore();
        };
      },
    ],
  ];

  test.each(states)('causes a 503 if it responds with %s', async (code, bringAbout) => {
    const link = await connect();
    const restore = await bringAbout(link);
    try {
      const error = await errorOf(write(link));

      expect((error as Error).message).toMatch(new RegExp(`^${code} `));
      expect(redisProblem(error)).toMatchObject({ status: 503, headers: { 'Retry-After': '1' } });
    } finally {
      await restore();
    }
  });

  test("doesn't turn errors in our own code into a 503", async () => {
    const { client } = await connect();

    expect(redisProblem(await errorOf(client.eval('return nonsense', 0)))).toBeNull();
  });
});

describe('a wrong Redis password', () => {
  test('is logged at each connection attempt, but without its value', async () => {
    const protectedServer = await startOwnServer('redis');
    const url = protectedServer.url.replace('redis://', 'redis://:canary-password@');
    const open = connectRedis({ url: protectedServer.url, prefix: '', timeoutMs: 5000, logger: silentLogger });
    links.push(open);
    try {
      await until(open.isUp, { what: 'Redis to be up' });
      await open.client.config('SET', 'requirepass', 'another-password');
      const lines: string[] = [];
      const logger = createTestLogger('test', { level: 'debug', onLine: (line) => lines.push(line) });
      const link = connectRedis({ url, prefix: '', timeoutMs: 1000, logger });
      links.push(link);

      await until(() => lines.filter((line) => line.includes('WRONGPASS')).length >= 2, { what: 'two attempts' });

      expect(link.isUp()).toBe(false);
      expect(lines.join('')).not.toContain('canary');
    } finally {
      await protectedServer.discard();
    }
  });
});
