import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { root } from '@comanda/local-stack/root';
import { perService, serviceNames } from '@comanda/local-stack/stack-settings';
import { budget, inTurn, longOnly } from '@comanda/testing/budget';
import { createMutatedCopy } from './torture/mutated-copy.ts';
import { askInVain, callAs } from './versions/dinner.ts';
import { findLastReleases } from './versions/last-releases.ts';
import type { Sources } from './versions/releases.ts';
import { takeTurns, type OnReplaced } from './versions/take-turns.ts';

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
/** Which are replaced. */
const replaced = inTurn(serviceNames);

describeIf('the last releases', () => {
  test('when a service is replaced by that of this tree, and back, under a dinner, then no call fails, no event is missed, and the ledger is intact', async () => {
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

const folder = join(root, 'test/next-version');
const patches = readdirSync(folder).filter((name) => name.endsWith('.patch'));

test('when a next release is made of this tree, then its patches apply', () => {
  const paths = patches.map((name) => join(folder, name));

  expect(() => execFileSync('git', ['apply', '--check', ...paths], { cwd: root, stdio: 'pipe' })).not.toThrow();
});

// What a next release may do is tried at each service by a test of its own.
longOnly.describe('a next release', () => {
  let next: ReturnType<typeof createMutatedCopy>;
  beforeAll(() => {
    next = createMutatedCopy(...patches.map((name) => join(folder, name)));
  });
  afterAll(() => next.remove());

  /** What only the next release does, and the release of this tree bears. */
  const useWhatIsNew = (): OnReplaced => {
    let cook: string | null = null;
    return async ({ releases, restaurant, service, by }) => {
      const { manager, dishes } = restaurant;
      const isNext = (name: string): boolean => service === name && by === 'next';
      if (isNext('auth-stepup')) {
        cook ??= (await releases.auth().run('createUser', { name: 'Cora', role: 'cook' as never })).token;
        await askInVain(restaurant, { status: 401, code: 'step_up_invalid' });
      }
      if (cook !== null) {
        const call = callAs(restaurant, cook);
        await call('GET /menu');
        await call(`PUT /menu/${dishes[0]}`, { body: { price: '0.01' } }, { status: 403, code: 'forbidden' });
      }
      const hot = { body: { items: [{ item_id: dishes[0], quantity: 1, remarks: 'fire' }] } };
      await manager.call('POST /orders', hot, isNext('orders') ? { status: 409, code: 'too_hot' } : { status: 201 });
    };
  };

  test('when each service is replaced by a next one, which does more in every way that is allowed, and back, under a dinner, then no call fails, no event is missed, and the ledger is intact', async () => {
    const turns = await takeTurns({
      name: 'versions-next',
      first: perService(() => thisTree),
      second: { name: 'the next one', root: next.root },
      replaced: serviceNames,
      times,
      verifier: thisTree,
      onReplaced: useWhatIsNew(),
    });

    expect(turns).toMatchObject(everythingWell);
    expect(turns.dinners).toBeGreaterThan(times * serviceNames.length);
    // The notifier of this tree has no contract of it.
    expect(turns.eventTypes).toContain('order.started');
  }, 1_200_000);
});
