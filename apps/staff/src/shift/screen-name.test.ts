import { expect, test } from '@jest/globals';
import { calledOf, renamed } from './screen-name.ts';

test.each([
  ['Grelha 2', 'Grelha-2-eylb', 'Grelha 2'],
  [' Balcão/Bar ', 'Balcao-Bar-eylb', 'Balcao Bar'],
  ['厨房', 'kitchen-eylb', 'kitchen'],
  ['', 'kitchen-eylb', 'kitchen'],
])('a screen that staff call %j keeps the part of its name that no other screen has', (text, name, called) => {
  expect(renamed('kitchen-eylb', text)).toBe(name);
  expect(calledOf(name)).toBe(called);
});
test('a long name has at most the 64 letters that the service accepts', () => {
  expect(renamed('kitchen-eylb', 'Praça '.repeat(30)).length).toBeLessThanOrEqual(64);
});
