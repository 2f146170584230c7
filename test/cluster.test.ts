import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testDataDir } from '@comanda/testing/environment';
import { startReaper, type Reaper } from '@comanda/local-stack/reaper/start-reaper';
import { startPartOfCluster, type PartOfCluster } from '@comanda/local-stack/cluster/start-cluster';
import { programsDir } from '@comanda/local-stack/root';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { runTorture } from './torture/run-torture.ts';

let reaper: Reaper;
let nodes: PartOfCluster;
beforeAll(async () => {
  reaper = await startReaper();
  mkdirSync(testDataDir(), { recursive: true });
  const dataDir = mkdtempSync(join(testDataDir(), 'cluster-'));
  reaper.remove(dataDir);
  const onSpawn: Parameters<typeof startPartOfCluster>[1]['onSpawn'] = (server) =>
    reaper.track({ ...server, stop: 'kill' });
  nodes = await startPartOfCluster(['mongodb'], { programsDir, dataDir, log: () => undefined, onSpawn });
});
afterAll(async () => {
  await nodes?.close();
  await reaper.finish();
});

// The nightly run injects every fault (`npm run torture`, with and without `--cluster`). This test injects only one: a primary
// that is cut off may lose writes that it has already confirmed to a service.
test("two instances of each service keep every promise when MongoDB's primary is cut off under load", async () => {
  const shared = await isolatedServers('cluster');
  const lines: string[] = [];
  const report = await runTorture({
    cluster: {
      mongodb: nodes.mongodb ?? { url: shared.mongodbUri },
      redis: { url: shared.redisUrl },
      rabbitmq: { url: shared.rabbitmqUrl },
    },
    name: shared.database,
    here: true,
    only: ['MongoDB primary cut off'],
    ends: { afterFaults: 1 },
    faultMs: 2_000,
    restMs: 400,
    screens: 10,
    log: (line) => lines.push(line),
  }).catch((error: unknown) => {
    throw new Error(lines.join('\n'), { cause: error });
  });

  expect(report.broken).toEqual([]);
  expect(report.faults).toEqual(['MongoDB primary cut off']);
  expect(report.gaps).toBe(0);
  for (const count of [report.orders, report.transfers, report.paid, report.reusedTokens])
    expect(count).toBeGreaterThan(1);
}, 1_200_000);
