// npm test: starts MongoDB, Redis and RabbitMQ with data of their own (or takes those whose URL is in the environment),
// runs Jest against them, passing on all arguments, and removes everything again. The last line of the output is
// `Tests: N passed, N failed`; the exit code is 0 only if all passed.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { startReaper } from './reaper/start-reaper.ts';
import { shutdownSignal } from './shutdown-signal.ts';
import { runJest } from './jest/run-jest.ts';
import { comandaDir, programsDir } from './root.ts';
import { isRefusal } from './servers/refusal.ts';
import { serverVariables, startEphemeralServers, type ServerUrls } from './servers/ephemeral-servers.ts';

const log = (line: string): void => console.error(line);
const interrupted = shutdownSignal().then(() => {
  log('interrupted');
  return 130;
});
mkdirSync(comandaDir, { recursive: true });
const reaper = await startReaper();

async function runTests(): Promise<number> {
  const given = Object.fromEntries(serverVariables.map((name) => [name, process.env[name]])) as Partial<ServerUrls>;
  const started = performance.now();
  log('starting MongoDB, Redis and RabbitMQ for the tests');
  const dataDir = mkdtempSync(join(comandaDir, 'test-'));
  const urls = await startEphemeralServers({ given, programsDir, dataDir, log, reaper });
  log(`the servers are ready after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
  const outlive = given.MONGODB_URI || given.REDIS_URL || given.RABBITMQ_URL;
  return runJest({
    args: process.argv.slice(2),
    env: {
      ...process.env,
      ...urls,
      COMANDA_TEST_DATA: dataDir,
      ...(!outlive && { COMANDA_TEST_SERVERS: 'ephemeral' }),
    },
    folder: dataDir,
    onSpawn: (jest) => reaper.track({ ...jest, stop: 'kill group' }),
  });
}

const exitCode = await Promise.race([runTests(), interrupted]).catch((error: unknown) => {
  console.error(isRefusal(error) ? error.message : error);
  return 1;
});
await reaper.finish();
process.exit(exitCode);
