import { describe, expect, test } from '@jest/globals';
import { hashOfSetupCode, matchesSetupCode, newSetupCode, readSetupCode } from './setup-code.ts';

const code = '7K3M-9QXF-2B4N-8RTV-5WYA-C1DE-0GHJ';
const read = '7K3M9QXF2B4N8RTV5WYAC1DE0GHJ';

describe('a setup code', () => {
  test("has seven groups of four symbols that can't be confused, and differs each time", () => {
    const codes = Array.from({ length: 100 }, newSetupCode);
    for (const each of codes) expect(each).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(new Set(codes).size).toBe(100);
  });

  test.each([
    ['as printed', code],
    ['in lower case', code.toLowerCase()],
    ['without hyphens', read],
    ['with spaces, dashes and a line break', `  ${code.replaceAll('-', ' – ')}\n`],
    ['with letters that look like digits', code.replace('C1DE-0GHJ', 'CIDE-OGHJ')],
    ['with a small L instead of 1', code.replace('C1DE', 'ClDE')],
  ])('is recognized when typed %s', (_how, typed) => {
    expect(readSetupCode(typed)).toBe(read);
    expect(matchesSetupCode(typed, hashOfSetupCode(code))).toBe(true);
  });

  test.each([
    ['is empty', ''],
    ['is too short', code.slice(0, -1)],
    ['is too long', `${code}K`],
    ['contains a letter that no code has', code.replace('K', 'U')],
    ['contains a special character', code.replace('K', '*')],
  ])("isn't recognized if the text %s", (_what, typed) => {
    expect(readSetupCode(typed)).toBeNull();
    expect(matchesSetupCode(typed, hashOfSetupCode(typed))).toBe(false);
  });

  test("doesn't match another code's hash", () => {
    expect(matchesSetupCode(code.replace('7', '8'), hashOfSetupCode(code))).toBe(false);
    expect(matchesSetupCode(code, '')).toBe(false);
  });
});
