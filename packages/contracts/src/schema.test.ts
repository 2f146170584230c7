import { describe, expect, test } from '@jest/globals';
import { line, secret, text } from './schema.ts';

const accepts = (schema: ReturnType<typeof line>, value: string): boolean => schema.validate(value).error === undefined;

describe('texts', () => {
  test('when a text has characters outside the basic plane, then each counts as one', () => {
    expect(accepts(line(255), '😀'.repeat(255))).toBe(true);
    expect(accepts(line(255), '😀'.repeat(256))).toBe(false);
    expect(accepts(secret(72, 8), '😀'.repeat(7))).toBe(false);
    expect(accepts(secret(72, 8), '😀'.repeat(8))).toBe(true);
  });

  test.each([' ', '\u00a0\u3000', '', 'a\nb', 'a\n', '\u0085', 'a\u2028b', '\ufeff', 'half \ud83d', '\udc00'])(
    'when a line is %j, then it is refused',
    (value) => expect(accepts(line(255), value)).toBe(false),
  );

  test.each([
    'Ana\u202egninroM',
    '\u2066Ana\u2069',
    'Ana\u200b',
    'A\u200cna',
    'A\u200dna',
    'مريم\u200d',
    '\u200d👩',
    '👩\u200d\u200d👩',
    'é\u200dé',
    '\u200eAna',
    'Ana\u061c',
    'Ana\u2060',
    'Ana\ufeff',
    'Ana\u180e',
  ])('when a line has the invisible character of %j, then it is refused', (value) => {
    expect(accepts(line(255), value)).toBe(false);
  });

  test.each([
    ' a b ',
    'é',
    'feijão 😀',
    'a\u00a0b\u3000c',
    'مريم',
    'می\u200cخواهم',
    '👩\u200d👩\u200d👧 x',
    'x 🏳\ufe0f\u200d🌈',
    '李雷',
    "O'Neill\\",
    '<b>',
  ])('when a line is %j, then it is accepted unchanged', (value) => {
    expect(line(255).validate(value)).toEqual({ value });
  });

  test('when a text has line feeds or tabs, or is empty, then it is accepted; other control characters are not', () => {
    for (const value of ['', 'a\n\tb', ' ']) expect(accepts(text(10), value)).toBe(true);
    for (const value of ['\u0000', '\r', '\u001b[2J', '\ud800']) expect(accepts(text(10), value)).toBe(false);
  });

  test('when a long line is refused, then the time of the check grows with its length, not with the square of it', () => {
    const half = 2_000_000; // its square is hours
    for (const value of [`${'a'.repeat(2 * half)}\n`, ' '.repeat(2 * half), `${' '.repeat(half)}${'a'.repeat(half)}\n`])
      expect(accepts(line(255), value)).toBe(false);
  });

  test('when a secret is refused, then the message does not repeat it', () => {
    for (const value of ['secret'.repeat(20), 'secret\ud800'])
      expect(secret(72).validate(value).error?.message).not.toContain('secret');
  });
});
