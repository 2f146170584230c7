import { describe, expect, test } from '@jest/globals';
import { limitsOf } from './ticket-limits.ts';

const rules = {
  station: {
    amber_minutes: 5,
    late_minutes: 8,
    dishes: [{ item_id: 7, amber_minutes: 20, late_minutes: 30 }],
  },
  categories: [{ category: 'Bebidas', amber_minutes: 3, late_minutes: 6 }],
};

describe("a dish's limits", () => {
  test.each([
    ['its own', { item_id: 7, category: 'Bebidas' }, [20, 30]],
    ["its category's if it has none of its own", { item_id: 8, category: 'Bebidas' }, [3, 6]],
    ["its category's in another spelling", { item_id: 8, category: ' BEBIDAS' }, [3, 6]],
    ["its station's if its category has none", { item_id: 8, category: 'Pratos' }, [5, 8]],
    ["its station's if it has no category", { item_id: 8, category: null }, [5, 8]],
  ])('are %s', (_what, dish, [amber, late]) => {
    expect(limitsOf(dish, rules)).toEqual({ amber_minutes: amber, late_minutes: late });
  });
});
