// npm run torture: runs orders, transfers, bill payments, PIN checks and screens on two instances of every service, while
// services and servers are killed, frozen and cut off. A run takes five minutes by default. Example with all options:
// npm run torture -- --cluster --seconds 300 --screens 200 --only "MongoDB,Redis primary"
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { startCluster, type Cluster } from '@comanda/local-stack/cluster/start-cluster';
import { defineCommand, readCommandLine, readNumber } from './command-line.ts';
import { startReaper } from '@comanda/local-stack/reaper/start-reaper';
import { comandaDir, programsDir } from '@comanda/local-stack/root';
import { isRefusal } from '@comanda/local-stack/servers/refusal';
import { shutdownSignal } from './shutdown-signal.ts';
import { startOneOfEach } from '../test/torture/one-of-each.ts';
import { runTorture } from '../test/torture/run-torture.ts';

const { values } = readCommandLine(
  defineCommand({
    name: 'npm run torture',
    script: 'torture',
    about:
      'Orders, transfers, payments of bills, PIN checks and screens on two instances of every service, while these and the\n' +
      'servers are killed, frozen and cut off. Prints a report; the exit code is 0 only if every promise was kept.',
    options: {
      seconds: { value: 'N', help: 'how long (300)' },
      screens: { value: 'N', help: 'how many screens are connected (200)' },
      only: {
        value: 'FAULTS',
        help: 'only these faults, by a part of their names, separated by commas: "MongoDB,Redis primary"',
      },
      cluster: { help: 'three nodes of every server, and not one' },
    },
  }),
);
const seconds = readNumber('seconds', values.seconds ?? '300');
const screens = readNumber('screens', values.screens ?? '200');
const started = performance.now();
const log = (line: string): void =>
  console.error(`${((performance.now() - started) / 1_000).toFixed(1).padStart(6)} s  ${line}`);
mkdirSync(comandaDir, { recursive: true });
const reaper = await startReaper();

function startNodes(): Promise<Cluster> {
  const dataDir = mkdtempSync(join(comandaDir, 'torture-'));
  reaper.remove(dataDir);
  return startCluster({
    programsDir,
    dataDir,
    log,
    onSpawn: (server) => reaper.track({ ...server, stop: 'kill' }),
  });
}

async function torture(): Promise<number> {
  log(`starting ${values.cluster ? 'three nodes' : 'one node'} of MongoDB, Redis and RabbitMQ`);
  const cluster = values.cluster ? await startNodes() : await startOneOfEach();
  const report = await runTorture({
    cluster,
    ends: { afterMs: seconds * 1_000 },
    screens,
    judgesTimes: true,
    ...(values.only !== undefined && { only: values.only.split(',') }),
    log,
  });
  await cluster.close();
  console.log(JSON.stringify(report, null, 2));
  return report.broken.length === 0 ? 0 : 1;
}

const exitCode = await Promise.race([torture(), shutdownSignal()]).catch((error: unknown) => {
  console.error(isRefusal(error) ? error.message : error);
  return 1;
});
await reaper.finish();
process.exit(exitCode);
