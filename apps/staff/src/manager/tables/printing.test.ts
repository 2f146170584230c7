import { expect, test } from '@jest/globals';
import { isOfThisComputer } from './printing.ts';

test.each([
  ['http://localhost:3000/?t=1', true],
  ['http://127.0.0.1:3000/?t=1', true],
  ['http://[::1]:3000/?t=1', true],
  ['http://192.168.1.7:3000/?t=1', false],
  ['https://localhost.example.com/?t=1', false],
])('the address %s causes a warning if no phone can open it', (url, isOwn) => {
  expect(isOfThisComputer(url)).toBe(isOwn);
});
