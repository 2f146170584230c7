import { expect, test } from '@jest/globals';
import { allergensNamedIn } from './allergens-in-text.ts';

const all = 'gluten crustaceans eggs fish peanuts soybeans milk nuts celery mustard sesame sulphites lupin molluscs';

test.each([
  [all, all.split(' ')],
  [
    'glúten crustáceos ovos peixe amendoim soja leite, nozes e castanhas, aipo mostarda gergelim sulfitos tremoço moluscos',
    all.split(' '),
  ],
  ['Alergia a GLÚTEN!', ['gluten']],
  ['no egg, no peanut', ['eggs', 'peanuts']],
  ['Sem LACTOSE', ['milk']],
  ['laticínios', ['milk']],
  ['shellfish', ['crustaceans', 'molluscs']],
  ['camarão e amêndoas', ['crustaceans', 'nuts']],
  ['eggplant, coconut, nutmeg, novo', []],
  ['', []],
])('allergensNamedIn("%s") returns %j', (text, allergens) => {
  expect(allergensNamedIn(text)).toEqual(allergens);
});
