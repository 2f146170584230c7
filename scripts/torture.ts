// npm run torture: orders, transfers, PIN checks and screens on two instances of every service and three nodes of every server,
// while these are killed, frozen and cut off. Five minutes by default.
//   npm run torture -- --cluster --seconds 300 --screens 200 --only "MongoDB,Redis primary"
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from './cluster/start-cluster.ts';
import { startReaper } from './reaper/start-reaper.ts';
import { comandaDir, programsDir } from './root.ts';
import { isRefusal } from './servers/refusal.ts';
import { shutdownSignal } from './shutdown-signal.ts';
import { runTorture } from '../test/torture/run-torture.ts';

const begun = performance.now();
const log = (line: string): void =>
  console.error(`${((performance.now() - begun) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
const { values } = parseArgs({
  options: {
    cluster: { type: 'boolean', default: true },
    seconds: { type: 'string', default: '300' },
    screens: { type: 'string', default: '200' },
    only: { type: 'string' },
  },
});
mkdirSync(comandaDir, { recursive: true });
const reaper = await startReaper();

async function torture(): Promise<number> {
  const dataDir = mkdtempSync(join(comandaDir, 'torture-'));
  reaper.remove(dataDir);
  log('starting three nodes of MongoDB, Redis and RabbitMQ');
  const cluster = await startCluster({
    programsDir,
    dataDir,
    log,
    onSpawn: (server) => reaper.track({ ...server, stop: 'kill' }),
  });
  const report = await runTorture({
    cluster,
    ends: { afterMs: Number(values.seconds) * 1_000 },
    screens: Number(values.screens),
    ...(values.only !== undefined && { only: values.only.split(',') }),
    log,
  });
  console.log(JSON.stringify(report, null, 2));
  return report.broken.length === 0 ? 0 : 1;
}

const exitCode = await Promise.race([torture(), shutdownSignal()]).catch((error: unknown) => {
  console.error(isRefusal(error) ? error.message : error);
  return 1;
});
await reaper.finish();
process.exit(exitCode);
