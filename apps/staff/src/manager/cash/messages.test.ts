import { formatUntil } from '@comanda/ui/format.ts';
import { chooseLanguage } from '@comanda/ui/language.ts';
import { afterEach, expect, test } from '@jest/globals';
import { cashMessages } from './messages.ts';

const at = '2026-11-20T23:40:00.000Z';
afterEach(() => chooseLanguage('en'));

test.each([
  ['en', 0, 'Last count: 23:40, by Ana'],
  ['en', 1, 'Last count: Friday, November 20, 23:40, by Ana'],
  ['pt-BR', 1, 'Última contagem: sexta-feira, 20 de novembro, 23:40, por Ana'],
] as const)('a count reads well in %s after %d days', (language, days, text) => {
  chooseLanguage(language);
  expect(cashMessages().count.done(formatUntil(at, Date.parse(at) + days * 86_400_000), 'Ana')).toBe(text);
});
