import { describe, expect, test } from '@jest/globals';
import { hasRemark, toggleRemark, usualRemarks } from './remarks.ts';

const dishes = [
  { id: 1, category: 'Pratos' },
  { id: 2, category: 'Pratos' },
  { id: 3, category: 'Bebidas' },
];
const dish = { id: 1, category: 'Pratos' };
const orderOf = (...items: [id: number, remarks: string][]) =>
  ({ items: items.map(([item_id, remarks]) => ({ item_id, remarks })) }) as never;

describe('the usual remarks for a dish', () => {
  test('are its most frequent ones, then those of its category, and none of other categories', () => {
    const orders = [
      orderOf([1, 'sem cebola'], [2, 'pouco sal'], [3, 'sem gelo']),
      orderOf([1, 'mal passada, sem cebola'], [2, 'Sem cebola'], [1, '']),
    ];
    expect(usualRemarks(dish, { orders, dishes })).toEqual(['sem cebola', 'mal passada', 'pouco sal']);
  });

  test('are at most six, and short', () => {
    const orders = [orderOf([1, 'a, b, c, d, e, f, g'], [1, 'x'.repeat(41)])];
    expect(usualRemarks(dish, { orders, dishes })).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });
});

test('a remark is added once, and removed by the second tap', () => {
  const added = toggleRemark('bem quente', 'sem cebola');
  expect(added).toBe('bem quente, sem cebola');
  expect(hasRemark(added, 'Sem Cebola')).toBe(true);
  expect(toggleRemark(added, 'Sem cebola')).toBe('bem quente');
});
