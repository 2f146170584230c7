import { expect, test } from '@jest/globals';
import { isolated } from './isolated.ts';
import { messagesOf } from './language.ts';

test.each([
  ['أحمد', '\u2068أحمد\u2069'],
  ['דנה', '\u2068דנה\u2069'],
  ['Ana', 'Ana'],
  ['João 2', 'João 2'],
])('a number beside "%s" stays in place', (typed, text) => expect(isolated(typed)).toBe(text));

test('a name is isolated from the message around it', () => {
  const words = {
    tables: {
      by: (name: string, time: string) => `${name}, ${time}`,
      tables: (names: readonly string[]) => names.join(),
      stations: new Map([['bar', 'Bar']]),
    },
  };
  const { tables } = messagesOf({ en: words, 'pt-BR': words })();

  expect(tables.by('أحمد', '12:46')).toBe('\u2068أحمد\u2069, 12:46');
  expect(tables.by('Ana', '12:46')).toBe('Ana, 12:46');
  expect(tables.tables(['أحمد', '8'])).toBe('\u2068أحمد\u2069,8');
  expect(tables.stations.get('bar')).toBe('Bar');
});
