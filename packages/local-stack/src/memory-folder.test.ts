import { expect, test } from '@jest/globals';
import { tmpdir } from 'node:os';
import { memoryFolder } from './memory-folder.ts';

const enough = { folder: tmpdir(), neededBytes: 1, neededMemoryBytes: 1 };
const tooMuch = 2 ** 60;

test('memoryFolder returns the folder if it has enough space', () => {
  expect(memoryFolder(enough)).toBe(tmpdir());
});

test.each([
  ["the machine doesn't have the folder", { folder: '/no/such/folder' }],
  ['the folder is too small', { neededBytes: tooMuch }],
  ['the machine has too little memory', { neededMemoryBytes: tooMuch }],
])('memoryFolder returns undefined if %s', (_name, lack) => {
  expect(memoryFolder({ ...enough, ...lack })).toBeUndefined();
});
