import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { programsDir, root } from '@comanda/local-stack/root';
import { startEphemeralServers } from '@comanda/local-stack/servers/ephemeral-servers';
import { startProductionStack, type ProductionStack } from '@comanda/testing/stack';
import type { IsolatedServers } from '@comanda/testing/isolated-servers';

/** Builds the services so that they run as in their images. */
export const buildServices = (): void =>
  void execFileSync('npm', ['run', 'build'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });

/** Starts real servers with temporary data. `MONGODB_URI`, `REDIS_URL` and `RABBITMQ_URL` select other servers instead. */
export async function startBenchServers(): Promise<IsolatedServers & { stop: () => Promise<void> }> {
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

/** Starts the five services as processes that use the servers of `startBenchServers`, with very high rate limits. */
export async function startBenchStack(
  settings: Record<string, string> = {},
): Promise<ProductionStack & { servers: IsolatedServers }> {
  const servers = await startBenchServers();
  const stack = await startProductionStack(servers, { LOG_LEVEL: 'warn', ...unlimited, ...settings });
  return {
    ...stack,
    servers,
    close: async () => {
      await stack.close();
      await servers.stop();
    },
  };
}
/** Rate limits that no benchmark ever reaches. */
export const unlimited = {
  RATE_LIMIT_USER: '100000000',
  RATE_LIMIT_STAFF: '100000000',
  RATE_LIMIT_ADDRESS: '100000000',
  RATE_LIMIT_REFUSED: '100000000',
  RATE_LIMIT_ADDRESS_USERS: '100000000',
  RATE_LIMIT_FEED: '100000000',
};
