import { expect, test } from '@jest/globals';
import { emptyDraft, withTyped } from './dish-draft.ts';

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
