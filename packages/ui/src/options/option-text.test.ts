import { expect, test } from '@jest/globals';
import { countedName } from './option-text.ts';

test.each([
  [{ name: 'Ao ponto', quantity: 1, of: null }, 'Ao ponto'],
  [{ name: 'Bacon', quantity: 2, of: null }, '2× Bacon'],
  [{ name: 'Calabresa', quantity: 1, of: 1 }, 'Calabresa'],
  [{ name: 'Calabresa', quantity: 1, of: 2 }, '1/2 Calabresa'],
  [{ name: 'Calabresa', quantity: 2, of: 2 }, 'Calabresa'],
  [{ name: 'Calabresa', quantity: 2, of: 4 }, '1/2 Calabresa'],
  [{ name: 'Calabresa', quantity: 3, of: 4 }, '3/4 Calabresa'],
])('the option %j is shown as “%s”', (option, text) => {
  expect(countedName(option)).toBe(text);
});
