import { expect, test } from '@jest/globals';
import { countedName } from './option-text.ts';

test.each<[option: { name: string; quantity: number; of: number | null }, text: string, dishes?: number]>([
  [{ name: 'Ao ponto', quantity: 1, of: null }, 'Ao ponto'],
  [{ name: 'Bacon', quantity: 2, of: null }, '2× Bacon'],
  [{ name: 'Bacon', quantity: 2, of: null }, '2× Bacon each', 3],
  [{ name: 'Bacon', quantity: 1, of: null }, 'Bacon', 3],
  [{ name: 'Calabresa', quantity: 1, of: 2 }, '1/2 Calabresa', 3],
  [{ name: 'Calabresa', quantity: 1, of: 1 }, 'Calabresa'],
  [{ name: 'Calabresa', quantity: 1, of: 2 }, '1/2 Calabresa'],
  [{ name: 'Calabresa', quantity: 2, of: 2 }, 'Calabresa'],
  [{ name: 'Calabresa', quantity: 2, of: 4 }, '1/2 Calabresa'],
  [{ name: 'Calabresa', quantity: 3, of: 4 }, '3/4 Calabresa'],
])('the option %j is shown as “%s”', (option, text, dishes = 1) => {
  expect(countedName(option, dishes)).toBe(text);
});
