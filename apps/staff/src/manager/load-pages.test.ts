import { expect, test } from '@jest/globals';
import { loadPages } from './load-pages.ts';

async function* inPages(...pages: number[][]) {
  yield* pages;
}

test.each([
  [1, [[1, 2], [3]], { items: [1, 2], hasMore: true }],
  [2, [[1, 2], [3]], { items: [1, 2, 3], hasMore: false }],
  [2, [[1, 2], [3, 4], [5]], { items: [1, 2, 3, 4], hasMore: true }],
  [3, [[1, 2]], { items: [1, 2], hasMore: false }],
  [1, [[]], { items: [], hasMore: false }],
])('loads %d pages of two items from %j', async (count, pages, loaded) => {
  expect(await loadPages(inPages(...pages), { size: 2, count })).toEqual(loaded);
});
