import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { nextSignsFrom, publishedAt, publishedBeforeMs, signerAt, type SigningKey } from './key-ring.ts';

const minuteMs = 60_000;
const monthMs = 30 * 24 * 60 * minuteMs;
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = (sequence: number, signsFrom: number): SigningKey => ({
  kid: `key-${sequence}`,
  sequence,
  createdAt: signsFrom - publishedBeforeMs,
  signsFrom,
  ...pair,
});
const kids = (keys: readonly SigningKey[]): string[] => keys.map(({ kid }) => kid);

describe('the signing keys', () => {
  const keys = [key(2, 100 * minuteMs), key(1, 0)];

  test('include the previous key, which signs until the next one may be used', () => {
    expect(signerAt(keys, 100 * minuteMs - 1)?.kid).toBe('key-1');
    expect(signerAt(keys, 100 * minuteMs)?.kid).toBe('key-2');
    expect(kids(publishedAt(keys, 91 * minuteMs))).toEqual(['key-1', 'key-2']);
  });

  test('lose a key once its last token has expired, but not earlier', () => {
    expect(kids(publishedAt(keys, 115 * minuteMs))).toEqual(['key-1', 'key-2']);
    expect(kids(publishedAt(keys, 116 * minuteMs))).toEqual(['key-2']);
  });

  test('let the next key sign immediately if there is no current key', () => {
    expect(nextSignsFrom([], 5, monthMs)).toBe(5);
  });

  test('get a new key ten minutes before the newest one is a month old', () => {
    const due = monthMs - publishedBeforeMs;
    expect(nextSignsFrom([key(1, 0)], due - 1, monthMs)).toBeNull();
    expect(nextSignsFrom([key(1, 0)], due, monthMs)).toBe(monthMs);
    expect(nextSignsFrom([key(1, 0), key(2, monthMs)], due + 1, monthMs)).toBeNull();
  });
});
