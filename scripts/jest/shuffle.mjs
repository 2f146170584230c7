import Sequencer from '@jest/test-sequencer';
import { createHash } from 'node:crypto';
import { relative } from 'node:path';

/** Runs the files in an order that only the seed decides. */
export default class ShuffledSequencer extends Sequencer {
  #seed;

  constructor(options) {
    super(options);
    this.#seed = options.globalConfig.seed;
  }

  sort(tests) {
    const sortKey = ({ path }) =>
      createHash('sha256')
        .update(`${this.#seed} ${relative(process.cwd(), path)}`)
        .digest('hex');
    return tests.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  }
}
