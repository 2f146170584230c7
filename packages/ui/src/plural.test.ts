import { afterAll, expect, test } from '@jest/globals';
import { plural } from './format.ts';
import { chooseLanguage, language } from './language.ts';

const before = language.peek();
afterAll(() => chooseLanguage(before));

test.each(['en', 'pt-BR'] as const)('the number 0 has the plural message in %s', (each) => {
  chooseLanguage(each);
  const bills = (count: number) => plural(count, { one: '1 conta aberta', other: `${count} contas abertas` });
  expect([0, 1, 2].map(bills)).toEqual(['0 contas abertas', '1 conta aberta', '2 contas abertas']);
});
