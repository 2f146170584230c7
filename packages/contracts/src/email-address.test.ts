import { expect, test } from '@jest/globals';
import { isSendable, normalEmail } from './email-address.ts';

test.each([
  ['  Ana.Souza+mesa@Example.COM ', 'ana.souza+mesa@example.com'],
  ['İlker@example.com', 'ilker@example.com'],
  ['ILKER@example.com', 'ilker@example.com'],
  ['ａｎａ@example.com', 'ana@example.com'],
  ['an\u00ada@example.com', 'ana@example.com'],
  ['ana@café.example', 'ana@xn--caf-dma.example'],
  ['ana@cafe\u0301.example', 'ana@xn--caf-dma.example'],
  ['ana@XN--CAF-DMA.example', 'ana@xn--caf-dma.example'],
  ['ana@１２３.example', 'ana@123.example'],
  ['"a@b"@example.com', '"a@b"@example.com'],
  ['no address', 'no address'],
])('normalEmail(%j) returns %j', (typed, normal) => {
  expect(normalEmail(typed)).toBe(normal);
  expect(normalEmail(normal)).toBe(normal);
});

test.each([
  ['ana@café.example', true],
  ['İlker@example.com', true],
  ['joão@example.com', false],
  ['用户@example.com', false],
])('isSendable(%s) returns %s', (address, is) => {
  expect(isSendable(address)).toBe(is);
});
