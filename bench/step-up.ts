// The Redis script that consumes a step-up token against GETDEL, each one round trip from redis-benchmark with 50 clients:
// the difference is the cost of the checks in the script.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { programsDir } from '@comanda/local-stack/root';
import { findServers } from '@comanda/local-stack/servers/find-servers';
import { spend } from '../services/auth-stepup/src/step-up/step-up-token-scripts.ts';
import { minPinVersionKey } from '../services/auth-stepup/src/pin/redis-keys.ts';
import { startOwnServer } from '@comanda/testing/own-server';
import { compare } from './support.ts';

const clients = 50;
const calls = 200_000;

const server = await startOwnServer('redis');
const { redis: programs } = await findServers({ names: ['redis'], programsDir, log: () => undefined });
if (!programs) throw new Error('no Redis');
const benchmark = join(dirname(programs.server), 'redis-benchmark');
const redis = new Redis(server.url);
const sha = String(await redis.script('LOAD', spend));
const { port } = new URL(server.url);

/** Calls per second of one command. `__rand_int__` stands for a number below `calls` with twelve digits. */
async function perSecond(...command: string[]): Promise<number> {
  const args = `-h 127.0.0.1 -p ${port} -c ${clients} -n ${calls} -r ${calls} --csv`.split(' ');
  const { stdout } = await promisify(execFile)(benchmark, [...args, ...command], { env: programs?.env });
  const [, figures = ''] = stdout.trim().split('\n');
  return Number(figures.split(',').at(1)?.replaceAll('"', ''));
}
/** Stores as many unused tokens as there are calls, under the keys that both commands use. */
async function fill(): Promise<void> {
  await redis.flushall();
  for (let first = 0; first < calls; first += 10_000) {
    const pipeline = redis.pipeline();
    for (let token = first; token < first + 10_000; token++)
      pipeline.set(`jti:{42}:${String(token).padStart(12, '0')}`, '1', 'PX', 125_000);
    await pipeline.exec();
  }
}
const hash = randomBytes(32).toString('base64url');

await compare({
  name: 'step-up-consume',
  what: 'step-up tokens spent, 50 clients, one round trip each',
  unit: 'a second',
  ours: async () => {
    await fill();
    return perSecond('EVALSHA', sha, '2', 'jti:{42}:__rand_int__', minPinVersionKey(42), hash);
  },
  peers: {
    GETDEL: {
      run: async () => {
        await fill();
        return perSecond('GETDEL', 'jti:{42}:__rand_int__');
      },
      atLeast: 0.9,
    },
  },
});
redis.disconnect();
await server.discard();
