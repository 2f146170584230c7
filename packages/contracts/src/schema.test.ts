import { describe, expect, test } from '@jest/globals';
import { amount, date, line, secret, text } from './schema.ts';

const accepts = (schema: ReturnType<typeof line>, value: string): boolean => schema.validate(value).error === undefined;

describe('text schemas', () => {
  test('count a character outside the Basic Multilingual Plane as one character', () => {
    expect(accepts(line(255), '😀'.repeat(255))).toBe(true);
    expect(accepts(line(255), '😀'.repeat(256))).toBe(false);
    expect(accepts(secret(72, 8), '😀'.repeat(7))).toBe(false);
    expect(accepts(secret(72, 8), '😀'.repeat(8))).toBe(true);
  });

  test.each([' ', '\u00a0\u3000', '', 'a\nb', 'a\n', '\u0085', 'a\u2028b', '\ufeff', 'half \ud83d', '\udc00'])(
    'reject the line %j',
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
  ])('reject a line with an invisible character, such as %j', (value) => {
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
  ])('accept the line %j unchanged', (value) => {
    expect(line(255).validate(value)).toEqual({ value });
  });

  test('accept empty text, line feeds and tabs, but no other control characters', () => {
    for (const value of ['', 'a\n\tb', ' ']) expect(accepts(text(10), value)).toBe(true);
    for (const value of ['\u0000', '\r', '\u001b[2J', '\ud800']) expect(accepts(text(10), value)).toBe(false);
  });

  test('reject a long line in time proportional to its length, not to the square of its length', () => {
    const half = 2_000_000; // a check that takes quadratic time would take hours
    for (const value of [`${'a'.repeat(2 * half)}\n`, ' '.repeat(2 * half), `${' '.repeat(half)}${'a'.repeat(half)}\n`])
      expect(accepts(line(255), value)).toBe(false);
  });

  test("don't repeat a rejected secret in the error message", () => {
    for (const value of ['secret'.repeat(20), 'secret\ud800'])
      expect(secret(72).validate(value).error?.message).not.toContain('secret');
  });
});

test.each([
  ['2026-11-20', true],
  ['2028-02-29', true],
  ['2026-02-29', false],
  ['2026-04-31', false],
  ['2026-1-1', false],
])('the date %s is accepted: %s', (value, isAccepted) => {
  expect(accepts(date(), value)).toBe(isAccepted);
});

test.each([
  ['soon', 'must be a date such as "2026-11-20"'],
  ['2026-02-29', 'must be a date that exists'],
])('the date %s has one error', (value, message) => {
  const { error } = date().validate(value, { abortEarly: false });
  expect(error?.details.map((each) => each.message)).toEqual([`"value" ${message}`]);
});

describe('an amount in a request', () => {
  const isAccepted = (value: unknown): boolean => amount().validate(value, { convert: false }).error === undefined;

  test.each(['0.01', '0.5', '1', '10.10', '99999999.99'])('can be %j', (value) => {
    expect(isAccepted(value)).toBe(true);
  });

  test.each([
    '0.001',
    '1e2',
    '-1',
    '+1',
    '0',
    '0.00',
    '100000000.00',
    '100000000',
    '9007199254740993',
    '1,00',
    '1.',
    '.5',
    ' 1',
    '1 ',
    '1_0',
    '0x10',
    '007.5',
    'Infinity',
    'NaN',
    '١',
    '',
  ])("can't be %j", (value) => {
    expect(isAccepted(value)).toBe(false);
  });

  test.each([1, 1.5, 2 ** 53, null, true, ['1'], {}])("can't be %j, because it must be a string", (value) => {
    expect(isAccepted(value)).toBe(false);
  });
});
