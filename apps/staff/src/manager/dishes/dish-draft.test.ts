import { expect, test } from '@jest/globals';
import { emptyDraft, newDishOf, withTyped } from './dish-draft.ts';

test.each<[what: string, lists: { before: number[]; after: number[]; now: number[]; shown: number[] }]>([
  ['stay as this manager put them', { before: [1, 2], after: [2, 1, 3], now: [1, 2], shown: [2, 1, 3] }],
  ['include one that another manager added', { before: [1], after: [2, 1], now: [1, 3], shown: [2, 1, 3] }],
  ['lack one that another manager removed', { before: [1, 2], after: [2, 1, 3], now: [1], shown: [1, 3] }],
  ['have one that both added once', { before: [], after: [4], now: [4, 5], shown: [4, 5] }],
  ['lack one that both removed', { before: [1, 2], after: [1], now: [1], shown: [1] }],
])('the option groups of a dish %s', (_what, { before, after, now, shown }) => {
  const draft = withTyped({ ...emptyDraft, groupIds: now }, { groupIds: { before, after } });
  expect(draft.groupIds).toEqual(shown);
});

test('a new dish is sent without fields that an earlier release may not know, unless a manager has filled them in', () => {
  const draft = { ...emptyDraft, name: 'Pizza', price: '0' };
  const sent = newDishOf(draft);
  for (const name of ['option_group_ids', 'kitchen_name', 'pricing', 'allergens_stated', 'name_translations'])
    expect(sent).not.toHaveProperty(name);
  const filled = { ...draft, groupIds: [4], kitchenName: 'PIZZA', pricing: 'open' as const, noAllergens: true };
  expect(newDishOf(filled)).toMatchObject({
    option_group_ids: [4],
    kitchen_name: 'PIZZA',
    pricing: 'open',
    allergens_stated: true,
  });
});
