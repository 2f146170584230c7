import { describe, expect, test } from '@jest/globals';
import { automaticSize, bestColumns } from './columns.ts';

const wall = { width: 1_888, height: 944 };
const tablet = { width: 1_156, height: 692 };

test.each([
  ['a wall', wall.width, [5, 6]],
  ['a tablet', tablet.width, [3, 4]],
  ['a wide tablet', 1_256, [4, 5]],
  ['a small tablet', 1_000, [3, 4]],
  ['a tablet on its side', 744, [2, 3]],
])('a board on %s has as many columns as people can read', (_name, width, columns) => {
  expect([bestColumns(width, 'large'), bestColumns(width, 'dense')]).toEqual(columns);
});

describe('the size that a board selects', () => {
  test.each([
    ['a wall', wall, 12],
    ['a tablet', tablet, 5],
  ])('is dense once more tickets arrive than a page on %s shows, until three have gone', (_name, room, largest) => {
    const sizeAt = (ticketCount: number, before: 'large' | 'dense') => automaticSize({ ...room, ticketCount }, before);
    expect(sizeAt(largest, 'large')).toBe('large');
    expect(sizeAt(largest + 1, 'large')).toBe('dense');
    expect(sizeAt(largest - 2, 'dense')).toBe('dense');
    expect(sizeAt(largest - 3, 'dense')).toBe('large');
  });
});
