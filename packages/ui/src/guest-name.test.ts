import { afterEach, expect, test } from '@jest/globals';
import { guestName } from './guest-name.ts';
import { chooseLanguage, language } from './language.ts';

const before = language.value;
afterEach(() => chooseLanguage(before));

test.each([
  ['en', 'Table 20', 'Table 20'],
  ['pt-BR', 'Table 20', 'Mesa 20'],
  ['pt-BR', 'Table Varanda 2', 'Mesa Varanda 2'],
  ['pt-BR', 'Tablete', 'Tablete'],
  ['pt-BR', 'Ana', 'Ana'],
] as const)('a reader in %s sees the guest %j as %j', (reader, stored, name) => {
  chooseLanguage(reader);

  expect(guestName(stored)).toBe(name);
});
