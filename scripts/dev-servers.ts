// npm run servers: MongoDB, Redis and RabbitMQ with throw-away data, for working on one service or one test, until
// Ctrl-C. Writes their URLs to standard output as lines for a shell to `source`, everything else to standard error.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { startGuardian } from './guardian/start-guardian.ts';
import { interruption } from './interruption.ts';
import { comandaDir, programsDir } from './root.ts';
import { isRefusal } from './servers/refusal.ts';
import { startThrowAwayServers } from './servers/throw-away.ts';

const log = (line: string): void => console.error(line);
const interrupted = interruption();
mkdirSync(comandaDir, { recursive: true });
const guardian = await startGuardian();

async function runServers(): Promise<number> {
  log('starting MongoDB, Redis and RabbitMQ');
  const dataDir = mkdtempSync(join(comandaDir, 'servers-'));
  const urls = await startThrowAwayServers({ given: {}, programsDir, dataDir, log, guardian });
  for (const [name, value] of Object.entries(urls)) console.log(`${name}='${value}'`);
  log('ready; Ctrl-C ends them');
  return interrupted;
}

const exitCode = await Promise.race([runServers(), interrupted]).catch((error: unknown) => {
  console.error(isRefusal(error) ? error.message : error);
  return 1;
});
await guardian.finish();
process.exit(exitCode);
