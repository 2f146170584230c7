import type { LiveItem } from '@comanda/client/core';
import { memoryStorage } from '@comanda/testing/memory-storage';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createDraft } from './draft.ts';

beforeEach(() => {
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, value: memoryStorage(new Map()) });
});
afterEach(() => {
  jest.restoreAllMocks();
  Reflect.deleteProperty(globalThis, 'localStorage');
});

test('a draft that is 4 hours old is discarded on a reload and by the next order', () => {
  const opened = createDraft(1);
  opened.add({ id: 1, name: 'Feijoada', price: '52.00', currency: 'BRL' } as LiveItem);
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
