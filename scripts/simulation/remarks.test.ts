import { expect, test } from '@jest/globals';
import { demoMenu } from '@comanda/local-stack/demo-menu';
import { languages } from '@comanda/contracts/rules';
import { remarksOf } from './remarks.ts';

test.each(languages)('guests in the demo have remarks in %s about most dishes', (language) => {
  const silent = demoMenu.map(({ name }) => name).filter((name) => remarksOf(name, language).length === 0);

  expect(silent).toEqual(['Pão de queijo', 'Prato do dia', 'Pargo na brasa', 'Açaí na tigela', 'Vinho da adega']);
});

test('every dish in the demo has its texts in English too', () => {
  expect(
    demoMenu.filter(
      ({ name_translations: name, description_translations: description, category_translations: category }) =>
        !name.en || !description.en || !category.en,
    ),
  ).toEqual([]);
});
