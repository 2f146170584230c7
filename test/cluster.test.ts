import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { budget, inTurn } from '@comanda/testing/budget';
import { deleteStream } from '@comanda/shared/messaging/delete-stream';
import { testDataDir } from '@comanda/testing/environment';
import { startReaper, type Reaper } from '@comanda/local-stack/reaper/start-reaper';
import { startPartOfCluster, type PartOfCluster } from '@comanda/local-stack/cluster/start-cluster';
import { programsDir, root } from '@comanda/local-stack/root';
import { isolatedServers } from '@comanda/testing/isolated-servers';
import { createMutatedCopy } from './torture/mutated-copy.ts';
import { runTorture } from './torture/run-torture.ts';
import type { Servers } from './torture/two-of-each.ts';

/** One of each server. Tests of orders and of the notifier kill these services. */
const breaks = [
  ['mongodb', 'MongoDB primary cut off'],
  ['redis', 'Redis primary killed'],
  ['rabbitmq', 'RabbitMQ leader killed'],
] as const;
/** The server that breaks has three nodes. */
const broken = inTurn(breaks);
const faults = budget(broken.length, 20);

let reaper: Reaper;
let nodes: PartOfCluster;
let cluster: Servers;
let name: string;
beforeAll(async () => {
  reaper = await startReaper();
  mkdirSync(testDataDir(), { recursive: true });
  const dataDir = mkdtempSync(join(testDataDir(), 'cluster-'));
  reaper.remove(dataDir);
  const shared = await isolatedServers('cluster');
  name = shared.database;
  nodes = await startPartOfCluster(
    broken.map(([server]) => server),
    {
      programsDir,
      dataDir,
      log: () => undefined,
      onSpawn: (server) => reaper.track({ ...server, stop: 'kill' }),
    },
  );
  const { mongodb, redis, rabbitmq } = nodes;
  cluster = {
    mongodb: mongodb ?? { url: shared.mongodbUri },
    redis: redis ?? { url: shared.redisUrl },
    rabbitmq: rabbitmq ?? { url: shared.rabbitmqUrl },
  };
});
// What a run has published is still in the stream when the next one begins.
beforeEach(() => deleteStream(cluster.rabbitmq.url), 30_000);
afterAll(async () => {
  await nodes?.close();
  await reaper.finish();
});

test('when servers and services are lost under load, then every promise is kept on two instances of everything', async () => {
  const lines: string[] = [];
  const only = broken.map(([, fault]) => fault);
  const report = await runTorture({
    cluster,
    name,
    ends: { afterFaults: faults },
    ...budget({ here: true, screens: 10, only, restMs: 400, faultMs: 2_000 }, { screens: 20 }),
    log: (line) => lines.push(line),
  }).catch((error: unknown) => {
    throw new Error(lines.join('\n'), { cause: error });
  });

  expect(report.broken).toEqual([]);
  expect(new Set(report.faults).size).toBe(faults);
  expect(report.gaps).toBe(0);
  expect(report.orders).toBeGreaterThan(faults);
  expect(report.transfers).toBeGreaterThan(faults);
  expect(report.reusedTokens).toBeGreaterThan(0);
}, 1_200_000);

/** What is broken on purpose (test/mutants), the faults that show it, if load alone does not, and what torture says of it. */
const mutants: readonly (readonly [name: string, sentence: RegExp, faults: readonly string[]])[] = [
  ['notifier-drops-events', /missed the|lacks \d+ events/, []],
  ['accepted-orders-dropped', /^accepted orders are not on the feed/, []],
  ['outbox-drops-events', /have no event|are not on the feed/, []],
  ['order-published-twice', /^orders are on the feed twice/, []],
  ['connections-mute', /lacks \d+ events|before the .+ came/, []],
  ['transfer-moves-twice', /has [\d.]+, and by its transfers/, []],
  ['idempotency-key-of-orders', /was placed again as/, []],
  ['portions-not-returned', /portions are taken, and clients observed/, []],
  ['portions-not-taken', /portions are taken, and clients observed/, []],
  ['pin-blocked-for-a-moment', /^a blocked PIN was accepted/, []],
  ['guests-hear-staff', /which it may not hear|without a right to hear it/, []],
  ['moves-not-stored', /^order \d+ was (?:at version|\w+ and is)/, []],
  ['replay-skips-an-event', /missed the|lacks \d+ events/, ['notifier 1 killed']],
];

// Services from a copy of the sources, all of which Node compiles anew, take longer than everything above.
for (const [mutant, sentence, only] of budget([], mutants))
  test(`when ${mutant}, then torture finds it`, async () => {
    const copy = createMutatedCopy(join(root, 'test/mutants', `${mutant}.patch`));
    try {
      const report = await runTorture({
        cluster,
        root: copy.root,
        name: mutant,
        ends: only.length === 0 ? { afterMs: 10_000 } : { afterFaults: 6 }, // each shows it by chance
        settlingMs: 5_000,
        screens: 10,
        only,
        log: () => undefined,
      });

      expect(report.broken).toContainEqual(expect.stringMatching(sentence));
    } finally {
      copy.remove();
    }
  }, 1_200_000);
