import { describe, expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';
import { perService, serviceNames, type ServiceName } from '@comanda/local-stack/stack-settings';
import { budget } from '@comanda/testing/budget';
import { findLastReleases } from './versions/last-releases.ts';
import type { Sources } from './versions/releases.ts';
import { takeTurns } from './versions/take-turns.ts';

const thisTree: Sources = { name: 'this tree', root };
const times = budget(1, 5);
const everythingWell = {
  evening: expect.objectContaining({ failures: [] }),
  missedEvents: [],
  internalErrors: [],
  ledger: expect.stringMatching(/The ledger is intact: .* Every consent is for its transfer\.$/),
};

const { checkOut, report } = findLastReleases();
console.log(`${checkOut ? 'Beside' : 'Not run beside'} this tree, the last release of each service:\n${report}`);

const describeIf = checkOut ? describe : describe.skip;
/** The services to replace: the one with the most data or, in the long run, all of them. */
const replaced = budget<readonly ServiceName[]>(['orders'], serviceNames);

describeIf('with the last releases', () => {
  test('replacing a service and going back loses no calls or events', async () => {
    const first = (await checkOut?.()) ?? perService(() => thisTree);

    const turns = await takeTurns({
      name: 'versions-last',
      first,
      second: thisTree,
      replaced,
      times,
      verifier: thisTree,
    });

    expect(turns).toMatchObject(everythingWell);
    expect(turns.dinners).toBeGreaterThan(times * replaced.length);
  }, 1_200_000);
});
