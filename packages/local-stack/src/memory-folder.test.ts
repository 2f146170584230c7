import { expect, test } from '@jest/globals';
import { tmpdir } from 'node:os';
import { memoryFolder } from './memory-folder.ts';

const enough = { folder: tmpdir(), neededBytes: 1, neededMemoryBytes: 1 };
const tooMuch = 2 ** 60;

test('when there is room, then the folder is used', () => {
  expect(memoryFolder(enough)).toBe(tmpdir());
});

test.each([
  ['the machine has no such folder', { folder: '/no/such/folder' }],
  ['the folder has too little room', { neededBytes: tooMuch }],
  ['the machine has too little memory', { neededMemoryBytes: tooMuch }],
])('when %s, then none is used', (_name, lack) => {
  expect(memoryFolder({ ...enough, ...lack })).toBeUndefined();
});
