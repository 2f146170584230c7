// npm run servers: MongoDB, Redis and RabbitMQ with throw-away data, for working on one service or one test, until
// Ctrl-C. Writes their URLs to standard output as lines for a shell to `source`, everything else to standard error.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { comandaDir, programsDir } from './root.ts';
import { isRefusal } from './servers/refusal.ts';
import { startThrowAwayServers } from './servers/throw-away.ts';

const log = (line: string): void => console.error(line);
mkdirSync(comandaDir, { recursive: true });
const dataDir = mkdtempSync(join(comandaDir, 'servers-'));
try {
  log('starting MongoDB, Redis and RabbitMQ');
  const servers = await startThrowAwayServers({ given: {}, programsDir, dataDir, log, onSpawn: () => undefined });
  for (const [name, value] of Object.entries(servers.urls)) console.log(`${name}='${value}'`);
  log('ready; Ctrl-C ends them');
  const keepAlive = setInterval(() => undefined, 60_000);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      clearInterval(keepAlive);
      void servers.stop();
    });
} catch (error) {
  if (!isRefusal(error)) throw error;
  log(error.message);
  process.exitCode = 1;
}
