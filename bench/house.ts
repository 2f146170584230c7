import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGuardian } from '../scripts/guardian/start-guardian.ts';
import { startThrowAwayServers } from '../scripts/servers/throw-away.ts';
import { startHouse } from '@comanda/testing/house';
import type { House, Servers } from '@comanda/testing/house';

const programsDir = fileURLToPath(new URL('../.comanda/programs', import.meta.url));

/** Real servers with data that is thrown away; ours, unless `MONGODB_URI`, `REDIS_URL` or `RABBITMQ_URL` names one. */
export async function startBenchServers(): Promise<Servers & { stop: () => Promise<void> }> {
  const guardian = await startGuardian();
  const urls = await startThrowAwayServers({
    given: process.env,
    programsDir,
    dataDir: mkdtempSync(join(tmpdir(), 'bench-')),
    log: (line) => process.stderr.write(`${line}\n`),
    guardian,
  });
  return {
    mongodbUri: urls.MONGODB_URI,
    database: 'bench',
    redisUrl: urls.REDIS_URL,
    redisPrefix: 'bench:',
    rabbitmqUrl: urls.RABBITMQ_URL,
    stop: guardian.finish,
  };
}

/** The five services as processes on such servers, with rate limits out of the way. */
export async function startBenchHouse(): Promise<House & { servers: Servers }> {
  const servers = await startBenchServers();
  const house = await startHouse(servers, { LOG_LEVEL: 'warn', ...unlimited });
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
