import { expect, test } from '@jest/globals';
import { putCashDrawer, type PutCashDrawerDeps } from './put-cash-drawer.ts';

/** Puts a cash drawer where so many others are, half of them retired. */
const putBeside = (many: number, name: string) => {
  const all = Array.from({ length: many }, (_, at) => ({
    name: `bag-${at}`,
    label: 'Bag',
    status: at % 2 === 0 ? 'retired' : 'active',
  }));
  const deps = {
    cashDrawers: { findAll: () => Promise.resolve(all), put: () => Promise.resolve() },
    movements: { findNewestIds: () => Promise.resolve(new Map()) },
    counts: { findAllNewest: () => Promise.resolve(new Map()) },
    counters: { takeEntryIds: () => Promise.resolve({}) },
    cashWrites: {
      runLocked: async (_key: string, write: (session: null) => Promise<{ value: unknown }>) =>
        (await write(null)).value,
    },
  } as unknown as PutCashDrawerDeps;
  return putCashDrawer(deps, { params: { name }, body: {} } as never);
};

test('there are at most 50 cash drawers, with retired ones', async () => {
  expect(await putBeside(49, 'bar')).toMatchObject({ isNew: true, row: { label: 'bar' } });
  await expect(putBeside(50, 'bar')).rejects.toMatchObject({
    code: 'unprocessable_content',
    members: { errors: [{ pointer: '/name', in: 'path' }] },
  });
  expect(await putBeside(50, 'bag-1')).toMatchObject({ isNew: false, row: { label: 'Bag' } });
});
