import Sequencer from '@jest/test-sequencer';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * It runs ten servers and ten services, and meets time limits of theirs if others fill the processors too: so it is the
 * first, beside files that mostly wait.
 */
export const heaviest = 'test/cluster.test.ts';
/** Those of them that together last about as long, each less than a third of its time at work. */
export const waiting = [
  'services/notifier/test/stalled.test.ts',
  'test/screens-and-database.test.ts',
  'test/tour.test.ts',
  'packages/client/test/feed.test.ts',
  'services/auth-stepup/test/outages.test.ts',
  'services/orders/test/lost-majority.test.ts',
  'packages/shared/src/mongo/lost-majority.test.ts',
  'services/notifier/src/connections/backlog.test.ts',
  'services/orders/test/heartbeats.test.ts',
  'services/notifier/test/slow-reader.test.ts',
  'packages/shared/src/messaging/publisher.test.ts',
];

/**
 * Runs the files that took longest first, after these: so the workers end at about the same time. Files that took equally
 * many seconds run in an order that the seed decides. durations.json is from the last run with --recordDurations; a file
 * that it does not know counts as the median.
 */
export default class LongestFirst extends Sequencer {
  #seed;
  #durations = JSON.parse(readFileSync(new URL('durations.json', import.meta.url), 'utf8'));

  constructor(options) {
    super(options);
    this.#seed = options.globalConfig.seed;
  }

  sort(tests) {
    const known = Object.values(this.#durations).toSorted((a, b) => a - b);
    const median = known[Math.floor(known.length / 2)] ?? 0;
    const nameOf = ({ path }) => relative(process.cwd(), path);
    const first = [heaviest, ...waiting];
    const isFirst = (test) => first.includes(nameOf(test));
    const secondsOf = (test) => this.#durations[nameOf(test)] ?? median;
    const sortKey = (test) =>
      createHash('sha256')
        .update(`${this.#seed} ${nameOf(test)}`)
        .digest('hex');
    return [
      ...first.flatMap((name) => tests.filter((test) => nameOf(test) === name)),
      ...tests
        .filter((test) => !isFirst(test))
        .toSorted((a, b) => secondsOf(b) - secondsOf(a) || (sortKey(a) < sortKey(b) ? -1 : 1)),
    ];
  }
}
