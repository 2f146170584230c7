import Sequencer from '@jest/test-sequencer';
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * Runs the files in an order that the seed decides, but long ones first: so the workers end at about the same time. A
 * file counts as long as the others whose size has the same power of two.
 */
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
    const sizeClass = ({ path }) => Math.floor(Math.log2(statSync(path).size));
    return tests.toSorted((a, b) => sizeClass(b) - sizeClass(a) || (sortKey(a) < sortKey(b) ? -1 : 1));
  }
}
