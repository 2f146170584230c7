// npm run servers: runs MongoDB, Redis and RabbitMQ with ephemeral data until Ctrl-C, for work on one service or one test.
// Prints their URLs to standard output as lines for a shell to `source`, and everything else to standard error.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { startReaper } from './reaper/start-reaper.ts';
import { shutdownSignal } from './shutdown-signal.ts';
import { comandaDir, programsDir } from './root.ts';
import { isRefusal } from './servers/refusal.ts';
import { startEphemeralServers } from './servers/ephemeral-servers.ts';

const log = (line: string): void => console.error(line);
const stopped = shutdownSignal();
mkdirSync(comandaDir, { recursive: true });
const reaper = await startReaper();

async function runServers(): Promise<number> {
  log('starting MongoDB, Redis and RabbitMQ');
  const dataDir = mkdtempSync(join(comandaDir, 'servers-'));
  const urls = await startEphemeralServers({ given: {}, programsDir, dataDir, log, reaper });
  for (const [name, value] of Object.entries(urls)) console.log(`${name}='${value}'`);
  log('ready; stop them with Ctrl-C');
  return stopped;
}

const exitCode = await Promise.race([runServers(), stopped]).catch((error: unknown) => {
  console.error(isRefusal(error) ? error.message : error);
  return 1;
});
await reaper.finish();
process.exit(exitCode);
