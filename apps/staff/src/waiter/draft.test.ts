import type { LiveItem } from '@comanda/client/core';
import { memoryStorage } from '@comanda/testing/memory-storage';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { OptionGroup } from '@comanda/contracts/option-groups';
import { newOption, newOptionGroup } from '@comanda/testing/stand/data';
import type { Offer } from '@comanda/ui/options/choice.ts';
import { signal } from '@preact/signals';
import { createDraft, plainLine } from './draft.ts';
import { troubleOf } from './line-trouble.ts';

const dish = { id: 1, name: 'Feijoada', price: '52.00', currency: 'BRL' } as LiveItem;
const feijoada = plainLine(dish, new Map());
const offerOf = (dishes: readonly LiveItem[], groups: readonly OptionGroup[] = []): Offer => ({
  dishes: new Map(dishes.map((each) => [each.id, each])),
  groups: new Map(groups.map((each) => [each.id, each])),
});
const openDraft = (offer = signal(offerOf([]))) => createDraft(1, offer);

const store = (kept: Map<string, string>): void =>
  void Object.defineProperty(globalThis, 'localStorage', { configurable: true, value: memoryStorage(kept) });
beforeEach(() => store(new Map()));
afterEach(() => {
  jest.restoreAllMocks();
  Reflect.deleteProperty(globalThis, 'localStorage');
});

test('a draft that is 4 hours old is discarded on a reload and by the next order', () => {
  const opened = openDraft();
  opened.add(feijoada);
  opened.setAllergies('amendoim');
  const now = Date.now();
  const dishesAfter = (ms: number): number[] => {
    jest.spyOn(Date, 'now').mockReturnValue(now + ms);
    const reloaded = openDraft().draft.value.lines.length;
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
  const { draft, setQuantity } = openDraft();
  setQuantity(2, 3);

  expect(draft.value.lines.map(({ id, quantity, options }) => [id, quantity, options])).toEqual([
    [1, 1, []],
    [2, 3, []],
  ]);
});

test('the same dish again is one more of its line, with other options or remarks a new line', () => {
  const { draft, add, changeLine } = openDraft();
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

const kinds = newOptionGroup(4, 'Ponto', {
  options: [newOption(41, 'Ao ponto', { default: true }), newOption(42, 'Com ovo', { price: '4.00' })],
});
const steak = {
  ...dish,
  id: 2,
  name: 'Bife',
  price: '50.00',
  option_group_ids: [4],
  available: true,
  portions_left: null,
};
const fish = { ...steak, id: 3, name: 'Robalo', price: '80.00', option_group_ids: [], pricing: 'per_kg' as const };
const wine = { ...fish, id: 4, name: 'Vinho', pricing: 'open' as const };
const [asked = never()] = plainLine(steak, new Map([[4, kinds]])).options;
function never(): never {
  throw new Error('The dish has no default.');
}

test('a draft shows the price of today, not of when the dish was added', () => {
  const offer = signal(offerOf([steak, fish, wine], [kinds]));
  const { draft, add } = openDraft(offer);
  add({ ...plainLine(steak, offer.value.groups), options: [{ ...asked, id: 42 }], price: '54.00' });
  add({ ...plainLine(fish, new Map()), measure: '0.500', price: '40.00' });
  add({ ...plainLine(wine, new Map()), unitPrice: '95.00', price: '95.00' });
  const [first, ...rest] = kinds.options;
  const dearer = { ...kinds, options: [first ?? never(), ...rest.map((each) => ({ ...each, price: '6.00' }))] };
  offer.value = offerOf([{ ...steak, price: '55.00' }, { ...fish, price: '90.00' }, wine], [dearer]);

  expect(draft.value.lines.map(({ price }) => price)).toEqual(['61.00', '45.00', '95.00']);
});

test.each([
  [{}, null],
  [{ available: false }, 'Sold out. Remove it before you send the order.'],
  [{ portions_left: 0 }, 'Sold out. Remove it before you send the order.'],
  [{ portions_left: 2 }, 'Only 2 left. Choose fewer.'],
  [{ portions_left: 3 }, null],
  [{ pricing: 'per_kg' }, 'Enter the weight'],
  [{ pricing: 'open' }, 'Enter the price'],
  [{ id: 9 }, 'No longer on the menu. Remove it before you send the order.'],
] as const)('a line of a draft whose dish has become %j says: %s', (differs, text) => {
  const line = { ...plainLine(steak, new Map([[4, kinds]])), id: 1, quantity: 2 };
  const other = { ...line, id: 2, quantity: 1, remarks: 'sem sal' };

  expect(troubleOf(line, [line, other], offerOf([{ ...steak, ...differs }], [kinds]))).toBe(text);
});
