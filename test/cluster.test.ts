import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { budget } from '@comanda/testing/budget';
import { testDataDir } from '@comanda/testing/environment';
import { startReaper, type Reaper } from '@comanda/local-stack/reaper/start-reaper';
import { startCluster, type Cluster } from '@comanda/local-stack/cluster/start-cluster';
import { programsDir } from '@comanda/local-stack/root';
import { runTorture } from './torture/run-torture.ts';

let reaper: Reaper;
let cluster: Cluster;
beforeAll(async () => {
  reaper = await startReaper();
  mkdirSync(testDataDir(), { recursive: true });
  const dataDir = mkdtempSync(join(testDataDir(), 'cluster-'));
  reaper.remove(dataDir);
  cluster = await startCluster({
    programsDir,
    dataDir,
    log: () => undefined,
    onSpawn: (server) => reaper.track({ ...server, stop: 'kill' }),
  });
}, 120_000);
afterAll(async () => {
  await cluster?.close();
  await reaper.finish();
}, 60_000);

/** One of each server, and the services from an order to the screens. */
const some = [
  'MongoDB primary cut off',
  'Redis primary killed',
  'RabbitMQ leader killed',
  'orders 1 killed',
  'notifier 1 killed',
];
const faults = budget(some.length, 20);

test('when servers and services are lost under load, then every promise is kept on two instances of everything', async () => {
  const lines: string[] = [];
  const report = await runTorture({
    cluster,
    ends: { afterFaults: faults },
    screens: 20,
    ...budget({ only: some }, {}),
    log: (line) => lines.push(line),
  }).catch((error: unknown) => {
    throw new Error(lines.join('\n'), { cause: error });
  });

  expect(report.broken).toEqual([]);
  expect(new Set(report.faults).size).toBe(faults);
  expect(report.gaps).toBe(0);
  expect(report.orders).toBeGreaterThan(20);
  expect(report.transfers).toBeGreaterThan(5);
  expect(report.reusedTokens).toBeGreaterThan(0);
}, 1_200_000);
