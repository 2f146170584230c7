import { describe, expect, test } from '@jest/globals';
import { isAllowedOrigin } from './origin.ts';

const allowedOrigins = ['https://menu.example.com', 'http://192.168.0.9:5173'];

describe('which origins may call', () => {
  test('when no origin is sent, then it may', () => {
    expect(isAllowedOrigin({ origin: undefined, host: 'api.test', allowedOrigins })).toBe(true);
  });

  test.each(allowedOrigins)('when %s is in the list, then it may', (origin) => {
    expect(isAllowedOrigin({ origin, host: 'api.test', allowedOrigins })).toBe(true);
  });

  test.each([
    ['http://api.test', 'api.test'],
    ['https://api.test', 'api.test'],
    ['https://api.test', 'api.test:443'],
    ['http://api.test', 'API.test:80'],
    ['http://192.168.0.5:3000', '192.168.0.5:3000'],
    ['http://[::1]:3000', '[::1]:3000'],
    ['http://laptop.local:3000', 'laptop.local:3000'],
    ['http://api.test:3000', 'api.test:3004'],
    ['http://api.test', 'api.test:3004'],
  ])('when the page is of %s and the host is %s, then it may', (origin, host) => {
    expect(isAllowedOrigin({ origin, host, allowedOrigins: [] })).toBe(true);
  });

  test.each([
    'https://evil.example',
    'http://menu.example.com',
    'https://menu.example.com.evil.example',
    'http://api.test.evil.example',
    'http://evil.example/api.test',
    'http://api.test@evil.example',
    'http://api.test/page',
    'chrome-extension://api.test',
    'null',
    '',
  ])('when the origin is %j, then it may not', (origin) => {
    expect(isAllowedOrigin({ origin, host: 'api.test', allowedOrigins })).toBe(false);
  });

  test.each([undefined, '', ':3000', 'a b'])('when the host is %j, then no origin is its own', (host) => {
    expect(isAllowedOrigin({ origin: 'http://api.test', host, allowedOrigins: [] })).toBe(false);
  });
});
