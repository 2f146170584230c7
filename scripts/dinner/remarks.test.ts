import { expect, test } from '@jest/globals';
import { demoMenu } from '@comanda/local-stack/demo-menu';
import { remarksOf } from './remarks.ts';

test('when a guest of the demo says how meat is cooked, then the dish is meat', () => {
  const dishes = demoMenu.map(({ name }) => name).filter((name) => /passada|ponto/.test(remarksOf(name).join()));

  expect(dishes).toEqual(['Picanha na brasa']);
});

test('when a dish is of the demo, then guests have something to say about most of them', () => {
  const silent = demoMenu.map(({ name }) => name).filter((name) => remarksOf(name).length === 0);

  expect(silent).toEqual(['Pão de queijo', 'Prato do dia']);
});
