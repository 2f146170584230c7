import Sequencer from '@jest/test-sequencer';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Runs the files that took longest first: so the workers end at about the same time. Files that took equally many seconds
 * run in an order that the seed decides. durations.json is from the last run with --recordDurations; a file that it
 * does not know counts as the median.
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
    const secondsOf = (test) => this.#durations[nameOf(test)] ?? median;
    const sortKey = (test) =>
      createHash('sha256')
        .update(`${this.#seed} ${nameOf(test)}`)
        .digest('hex');
    return tests.toSorted((a, b) => secondsOf(b) - secondsOf(a) || (sortKey(a) < sortKey(b) ? -1 : 1));
  }
}
