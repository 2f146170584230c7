import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { budget, inTurn } from '@comanda/testing/budget';
import { deleteStream } from '@comanda/shared/messaging/delete-stream';
import { testDataDir } from '@comanda/testing/environment';
import { startReaper, type Reaper } from '@comanda/local-stack/reaper/start-reaper';
import { startCluster, type Cluster } from '@comanda/local-stack/cluster/start-cluster';
import { programsDir, root } from '@comanda/local-stack/root';
import { createMutatedCopy } from './torture/mutated-copy.ts';
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
});
// What a run has published is still in the stream when the next one begins.
beforeEach(() => deleteStream(cluster.rabbitmq.url), 30_000);
afterAll(async () => {
  await cluster?.close();
  await reaper.finish();
});

/** One of each server, in turn. Tests of orders and of the notifier kill these services. */
const some = inTurn(['MongoDB primary cut off', 'Redis primary killed', 'RabbitMQ leader killed']);
const faults = budget(some.length, 20);

test('when servers and services are lost under load, then every promise is kept on two instances of everything', async () => {
  const lines: string[] = [];
  const report = await runTorture({
    cluster,
    ends: { afterFaults: faults },
    ...budget({ screens: 10, only: some, restMs: 400, faultMs: 2_000 }, { screens: 20 }),
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
for (const [name, sentence, only] of budget([], mutants))
  test(`when ${name}, then torture finds it within a minute`, async () => {
    const copy = createMutatedCopy(join(root, 'test/mutants', `${name}.patch`));
    try {
      const { broken } = await runTorture({
        cluster,
        root: copy.root,
        name,
        ends: only.length === 0 ? { afterMs: 10_000 } : { afterFaults: 2 },
        settlingMs: 5_000,
        screens: 10,
        only,
        log: () => undefined,
      });

      expect(broken).toContainEqual(expect.stringMatching(sentence));
    } finally {
      copy.remove();
    }
  }, 300_000);
