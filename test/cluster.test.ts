import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testDataDir } from '@comanda/testing/environment';
import { startReaper } from '../scripts/reaper/start-reaper.ts';
import type { Reaper } from '../scripts/reaper/start-reaper.ts';
import { startCluster } from '../scripts/cluster/start-cluster.ts';
import type { Cluster } from '../scripts/cluster/start-cluster.ts';
import { programsDir } from '../scripts/root.ts';
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

/** The long form is `npm run torture -- --cluster`. */
test('when the primary of each server is lost under load, then every promise is kept on two instances of everything', async () => {
  const lines: string[] = [];
  const report = await runTorture({
    cluster,
    ends: { afterFaults: 3 },
    screens: 20,
    only: ['MongoDB primary cut off', 'Redis primary killed', 'RabbitMQ leader killed'],
    log: (line) => lines.push(line),
  }).catch((error: unknown) => {
    throw new Error(lines.join('\n'), { cause: error });
  });

  expect(report.broken).toEqual([]);
  expect(new Set(report.faults).size).toBe(3);
  expect(report.orders).toBeGreaterThan(20);
  expect(report.transfers).toBeGreaterThan(5);
  expect(report.reusedTokens).toBeGreaterThan(0);
}, 300_000);
