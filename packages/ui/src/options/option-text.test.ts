import type { ItemOption } from '@comanda/contracts/item-options';
import { expect, test } from '@jest/globals';
import { optionText } from './option-text.ts';

const option = (name: string, differs: Partial<ItemOption> = {}): ItemOption => ({
  id: 31,
  group: 'Sabores',
  name,
  kitchen_name: null,
  quantity: 1,
  of: null,
  price: '0.00',
  item_id: null,
  options: [],
  ...differs,
});
const halves = ['Calabresa', 'Portuguesa'].map((name) => option(name, { of: 2 }));

test.each([
  [option('Ao ponto'), 'Ao ponto'],
  [option('Bacon', { quantity: 2 }), '2× Bacon'],
  [option('Calabresa', { of: 1 }), 'Calabresa'],
  [
    option('Grande', { options: [...halves, option('Borda', { options: [option('Catupiry')] })] }),
    'Grande: 1/2 Calabresa, 1/2 Portuguesa, Borda: Catupiry',
  ],
])('the text of an option says its share and what is below it', (given, text) => {
  expect(optionText(given)).toBe(text);
});
