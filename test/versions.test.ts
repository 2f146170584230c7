import { describe, expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';
import { perService } from '@comanda/local-stack/stack-settings';
import { budget } from '@comanda/testing/budget';
import { findLastReleases } from './versions/last-releases.ts';
import { takeTurns } from './versions/take-turns.ts';

const thisTree = { name: 'this tree', root };
const times = budget(1, 5);
const everythingWell = {
  evening: expect.objectContaining({ failures: [] }),
  missedEvents: [],
  internalErrors: [],
  ledger: expect.stringMatching(/The ledger is intact: .* Every consent is for its transfer\.$/),
};

describe('the last releases', () => {
  const { sources, report } = findLastReleases();
  console.log(`The last releases:\n${report}`);
  const ifFound = sources ? test : test.skip;

  ifFound(
    'when each service is replaced by that of this tree, and back, under a dinner, then no call fails, no event is missed, and the ledger is intact',
    async () => {
      const first = sources ?? perService(() => thisTree);
      const turns = await takeTurns({ name: 'versions-last', first, second: thisTree, times, verifier: thisTree });

      expect(turns).toMatchObject(everythingWell);
      console.log(`${turns.dinners} dinners, ${turns.evening.calls} calls`);
    },
    600_000,
  );
});
