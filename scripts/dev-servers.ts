// npm run servers: runs MongoDB, Redis and RabbitMQ with temporary data until Ctrl-C, for work on a service or test. `--
// --cluster` starts three nodes of each (for Redis with Sentinels). Prints the servers' URLs and the services' shared secret to
// standard output, as lines for a shell to `source`. Everything else goes to standard error.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { startCluster } from '@comanda/local-stack/cluster/start-cluster';
import { defineCommand, readCommandLine } from './command-line.ts';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { shutdownSignal } from './shutdown-signal.ts';
import { comandaDir, programsDir } from '@comanda/local-stack/root';
import { isRefusal } from '@comanda/local-stack/servers/refusal';
import type { OnSpawn } from '@comanda/local-stack/servers/server-process';
import { newSecrets } from '@comanda/local-stack/secrets';
import { serviceNames } from '@comanda/local-stack/stack-settings';
import { startEphemeralServers } from '@comanda/local-stack/servers/ephemeral-servers';

const { values } = readCommandLine(
  defineCommand({
    name: 'npm run servers',
    script: 'servers',
    about:
      'Runs MongoDB, Redis and RabbitMQ with ephemeral data until Ctrl-C, for work on one service or one test. Prints their\n' +
      'URLs as lines for a shell.',
    options: { cluster: { help: 'three nodes of each, for Redis with Sentinels' } },
  }),
);
const log = (line: string): void => console.error(line);
const common = { programsDir, log };
const stopped = shutdownSignal((why) => log(`stopping: ${why}`));
mkdirSync(comandaDir, { recursive: true });
const reaper = await startReaper();

async function runServers(): Promise<number> {
  log(values.cluster ? 'starting three nodes of MongoDB, Redis and RabbitMQ' : 'starting MongoDB, Redis and RabbitMQ');
  const dataDir = mkdtempSync(join(comandaDir, 'servers-'));
  const urls = values.cluster
    ? await startNodes(dataDir)
    : await startEphemeralServers({ ...common, given: {}, dataDir, reaper });
  for (const [name, value] of Object.entries({ ...urls, ...serviceSecrets() })) console.log(`${name}='${value}'`);
  log('ready; stop them with Ctrl-C');
  return stopped;
}

/** Returns the same secret for all services, because they all get these lines. */
function serviceSecrets(): Record<string, string> {
  const secret = newSecrets().services.gateway;
  return { SERVICE_SECRET: secret, CALLER_SECRETS: serviceNames.map((name) => `${name}:${secret}`).join(',') };
}

async function startNodes(dataDir: string): Promise<Record<string, string>> {
  reaper.remove(dataDir);
  const onSpawn: OnSpawn = (server) => reaper.track({ ...server, stop: 'kill' });
  const { mongodb, redis, rabbitmq } = await startCluster({ ...common, dataDir, onSpawn });
  return { MONGODB_URI: mongodb.url, REDIS_URL: redis.url, RABBITMQ_URL: rabbitmq.url };
}

const exitCode = await Promise.race([runServers(), stopped]).catch((error: unknown) => {
  console.error(isRefusal(error) ? error.message : error);
  return 1;
});
await reaper.finish();
process.exit(exitCode);
