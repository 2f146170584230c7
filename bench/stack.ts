import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startReaper } from '../scripts/reaper/start-reaper.ts';
import { startEphemeralServers } from '../scripts/servers/ephemeral-servers.ts';
import { startStack } from '@comanda/testing/stack';
import type { Stack, Servers } from '@comanda/testing/stack';

const programsDir = fileURLToPath(new URL('../.comanda/programs', import.meta.url));

/** Real servers with data that is thrown away; ours, unless `MONGODB_URI`, `REDIS_URL` or `RABBITMQ_URL` names one. */
export async function startBenchServers(): Promise<Servers & { stop: () => Promise<void> }> {
  const reaper = await startReaper();
  const urls = await startEphemeralServers({
    given: process.env,
    programsDir,
    dataDir: mkdtempSync(join(tmpdir(), 'bench-')),
    log: (line) => process.stderr.write(`${line}\n`),
    reaper,
  });
  return {
    mongodbUri: urls.MONGODB_URI,
    database: 'bench',
    redisUrl: urls.REDIS_URL,
    redisPrefix: 'bench:',
    rabbitmqUrl: urls.RABBITMQ_URL,
    stop: reaper.finish,
  };
}

/** The five services as processes on such servers, with rate limits out of the way. */
export async function startBenchHouse(): Promise<Stack & { servers: Servers }> {
  const servers = await startBenchServers();
  const house = await startStack(servers, { LOG_LEVEL: 'warn', ...unlimited });
  return {
    ...house,
    servers,
    stop: async () => {
      await house.stop();
      await servers.stop();
    },
  };
}
const unlimited = { RATE_LIMIT_USER: '100000000', RATE_LIMIT_ADDRESS: '100000000' };
