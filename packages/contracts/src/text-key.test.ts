import { expect, test } from '@jest/globals';
import { showTwins, textKey, twinsOf } from './text-key.ts';

test.each([
  ['letter case', ['Bar', 'bar', 'BAR']],
  ['composed and decomposed letters', ['Porções', 'Porc\u0327o\u0303es', 'PORÇÕES']],
  [
    'blanks',
    ['Pizza oven', '  Pizza \u00a0oven ', 'Pizza\u2003oven', 'Pizza\toven', 'Pizza\u3000oven', 'Pizza\u2800oven'],
  ],
  ['a soft hyphen', ['Feijoada', 'Fei\u00adjoada']],
  [
    'characters without width',
    ['Bar', 'B\u200bar', 'Bar\ufeff', 'B\u2060ar', 'B\u200dar', 'B\u200car', 'Ba\u034fr', 'Bar\u3164'],
  ],
  ['direction marks', ['Bar', '\u200eBar\u200f', '\u2066Bar\u2069', '\u202aBar\u202c', '\u061cBar']],
  ['full-width letters', ['Bar', 'Ｂａｒ']],
  ['ligatures and superscripts', ['Office 2', 'Oﬃce ²']],
  ['the four Turkish letters i', ['Izgara', 'İzgara', 'ızgara', 'izgara', 'IZGARA', 'I\u0307zgara']],
  ['the three Greek letters s', ['Μουσακάς', 'ΜΟΥΣΑΚΆΣ', 'μουσακάσ']],
  ['ß', ['Weißbier', 'Weissbier', 'WEIẞBIER', 'WEISSBIER']],
  ['a joiner in Persian', ['می\u200cخواهم', 'میخواهم']],
  ['variants of one emoji', ['❤\ufe0f Bar', '❤\ufe0e Bar', '❤ Bar']],
  ['a selector before a joiner', ['❤\ufe0f\u200d🔥', '❤\u200d🔥']],
])('two texts have the same key when they differ only in %s', (_, texts) => {
  const keys = texts.map(textKey);
  expect(new Set(keys)).toEqual(new Set([keys[0]]));
  expect(keys.map(textKey)).toEqual(keys);
});

test.each([
  ['Bar', 'Bär'],
  ['Balcão', 'Balcao'],
  ['Pizza oven', 'Pizzaoven'],
  ['Bar 1', 'Bar 2'],
  ['👨\u200d🍳', '👨🍳'],
  ['👩🏽\u200d🍳', '👩🏽🍳'],
  ['❤\ufe0f\u200d🔥', '❤\ufe0f🔥'],
  ['👩🏽\u200d🍳', '👩🏿\u200d🍳'],
  [
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  ],
  ['1\ufe0f\u20e3', '1'],
])('%j and %j have different keys', (one, other) => {
  expect(textKey(one)).not.toBe(textKey(other));
});

test('different texts with the same key are reported with codes for their invisible characters', () => {
  const twins = twinsOf(['Bar', 'bar', 'Bar', 'Grill', 'Fei\u00adjoada', 'Feijoada', 'Açaí', 'Ac\u0327ai\u0301']);

  expect(twins.map(showTwins)).toEqual([
    '"Bar" and "bar"',
    '"Fei\\u{ad}joada" and "Feijoada"',
    '"Açaí" and "Ac\\u{327}ai\\u{301}"',
  ]);
});
