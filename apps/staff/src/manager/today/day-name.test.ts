import { chooseLanguage } from '@comanda/ui/language.ts';
import { afterEach, expect, test } from '@jest/globals';
import { formatDayName } from './day-name.ts';

const now = Date.parse('2027-01-02T15:00:00Z');
afterEach(() => chooseLanguage('en'));

test('a day of another year has its year', () => {
  expect([formatDayName('2026-12-31', now), formatDayName('2027-01-01', now)]).toEqual([
    'Thursday, December 31, 2026',
    'Friday, January 1',
  ]);
  chooseLanguage('pt-BR');
  expect(formatDayName('2026-12-31', now)).toBe('quinta-feira, 31 de dezembro de 2026');
});
