import { describe, expect, test } from '@jest/globals';
import { inOneLine, rankOf } from './plain-text.ts';

describe('rankOf', () => {
  test.each([
    {
      what: 'a word in the name starts with the search',
      name: 'Ana Lima',
      other: 'ana@example.test',
      search: 'ana',
      rank: 0,
    },
    { what: 'accents and case differ', name: 'João Ção', other: 'j@example.test', search: 'joao cao', rank: 0 },
    {
      what: 'a word in the name contains the search',
      name: 'Mariana',
      other: 'm@example.test',
      search: 'ana',
      rank: 1,
    },
    {
      what: 'only the e-mail contains the search',
      name: 'Casa',
      other: 'manager@example.test',
      search: 'ana',
      rank: 2,
    },
    {
      what: 'one part is in the name and another in the e-mail',
      name: 'Ana',
      other: 'lima@example.test',
      search: 'ana lima',
      rank: 2,
    },
    { what: 'neither contains the search', name: 'Rui', other: 'rui@example.test', search: 'ana', rank: null },
  ])('returns the rank when $what', ({ name, other, search, rank }) => {
    expect(rankOf({ name, other }, search)).toBe(rank);
  });
});

describe('inOneLine', () => {
  test.each([
    ['peanuts\nmilk', 'peanuts milk'],
    ['peanuts \r\n\n milk', 'peanuts milk'],
    ['peanuts ', 'peanuts '],
    ['peanuts\n', 'peanuts '],
  ])('turns %j into %j', (typed, line) => {
    expect(inOneLine(typed)).toBe(line);
  });
});
