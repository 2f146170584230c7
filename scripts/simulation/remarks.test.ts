import { expect, test } from '@jest/globals';
import { demoMenu } from '@comanda/local-stack/demo-menu';
import { languages } from '@comanda/contracts/rules';
import { remarksOf } from './remarks.ts';

test.each(languages)('when a guest of the demo says in %s how meat is cooked, then the dish is meat', (language) => {
  const dishes = demoMenu
    .map(({ name }) => name)
    .filter((name) => /passada|ponto|rare|done/.test(remarksOf(name, language).join()));

  expect(dishes).toEqual(['Picanha na brasa']);
});

test.each(languages)(
  'when a dish is of the demo, then guests have something to say in %s about most of them',
  (language) => {
    const silent = demoMenu.map(({ name }) => name).filter((name) => remarksOf(name, language).length === 0);

    expect(silent).toEqual(['Pão de queijo', 'Prato do dia']);
  },
);

test('when a dish of the demo is read, then its name, its description and its category are in English too', () => {
  expect(
    demoMenu.filter(
      ({ name_translations: name, description_translations: description, category_translations: category }) =>
        !name.en || !description.en || !category.en,
    ),
  ).toEqual([]);
});
