import { expect, test } from '@jest/globals';
import { demoMenu } from '@comanda/local-stack/demo-menu';
import { languages } from '@comanda/contracts/rules';
import { remarksOf } from './remarks.ts';

test.each(languages)('only grilled meat has remarks in %s about how well done it should be', (language) => {
  const dishes = demoMenu
    .map(({ name }) => name)
    .filter((name) => /passada|ponto|rare|done/.test(remarksOf(name, language).join()));

  expect(dishes).toEqual(['Picanha na brasa']);
});

test.each(languages)('guests in the demo have remarks in %s about most dishes', (language) => {
  const silent = demoMenu.map(({ name }) => name).filter((name) => remarksOf(name, language).length === 0);

  expect(silent).toEqual(['Pão de queijo', 'Prato do dia']);
});

test('every dish in the demo has its texts in English too', () => {
  expect(
    demoMenu.filter(
      ({ name_translations: name, description_translations: description, category_translations: category }) =>
        !name.en || !description.en || !category.en,
    ),
  ).toEqual([]);
});
