import type { LiveItem } from '@comanda/client/core';
import { memoryStorage } from '@comanda/testing/memory-storage';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createDraft, plainLine } from './draft.ts';

const dish = { id: 1, name: 'Feijoada', price: '52.00', currency: 'BRL' } as LiveItem;
const feijoada = plainLine(dish, new Map());

const store = (kept: Map<string, string>): void =>
  void Object.defineProperty(globalThis, 'localStorage', { configurable: true, value: memoryStorage(kept) });
beforeEach(() => store(new Map()));
afterEach(() => {
  jest.restoreAllMocks();
  Reflect.deleteProperty(globalThis, 'localStorage');
});

test('a draft that is 4 hours old is discarded on a reload and by the next order', () => {
  const opened = createDraft(1);
  opened.add(feijoada);
  opened.setAllergies('amendoim');
  const now = Date.now();
  const dishesAfter = (ms: number): number[] => {
    jest.spyOn(Date, 'now').mockReturnValue(now + ms);
    const reloaded = createDraft(1).draft.value.lines.length;
    opened.setTable('102');
    return [reloaded, opened.draft.value.lines.length, opened.draft.value.allergies.length];
  };

  expect([dishesAfter(3 * 3_600_000), dishesAfter(4 * 3_600_000)]).toEqual([
    [1, 1, 8],
    [0, 0, 0],
  ]);
});

test('a draft of an earlier release is read with lines that can be changed', () => {
  const line = { dishId: 1, name: 'Feijoada', price: '52.00', currency: 'BRL', quantity: 1, remarks: '' };
  const stored = { table: '7', lines: [line, { ...line, dishId: 2 }], allergies: '' };
  store(new Map([['comanda.waiter.draft.1', JSON.stringify(stored)]]));
  const { draft, setQuantity } = createDraft(1);
  setQuantity(2, 3);

  expect(draft.value.lines.map(({ id, quantity, options }) => [id, quantity, options])).toEqual([
    [1, 1, []],
    [2, 3, []],
  ]);
});

test('the same dish again is one more of its line, with other options or remarks a new line', () => {
  const { draft, add, changeLine } = createDraft(1);
  add(feijoada);
  add(feijoada);
  changeLine(1, { remarks: 'sem sal' });
  add(feijoada);
  const weighed = { ...feijoada, measure: '0.432' };
  add(weighed);
  add(weighed);

  expect(draft.value.lines.map(({ id, quantity }) => [id, quantity])).toEqual([
    [1, 2],
    [2, 1],
    [3, 1],
    [4, 1],
  ]);
});
