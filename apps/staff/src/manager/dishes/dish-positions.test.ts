import { expect, test } from '@jest/globals';
import { positionsFor } from './dish-positions.ts';

const dishes = [
  { id: 1, position: 4 },
  { id: 2, position: 5 },
  { id: 3, position: 9 },
];

test.each([
  ['keeps the positions of dishes that stay', [1, 2, 3], [4, 5, 9]],
  ['moves the last dish to the front', [3, 1, 2], [4, 5, 9]],
])('the order of a category %s', (_what, order, positions) => {
  expect([...positionsFor(order, dishes)]).toEqual(order.map((id, at) => [id, positions[at]]));
});

test('dishes with the same position get different ones', () => {
  const same = dishes.map(({ id }) => ({ id, position: 0 }));
  expect([...positionsFor([2, 3, 1], same).values()]).toEqual([0, 1, 2]);
});
