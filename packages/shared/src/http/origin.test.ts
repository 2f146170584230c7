import { describe, expect, test } from '@jest/globals';
import { isAllowedOrigin } from './origin.ts';

const allowedOrigins = ['https://menu.example.com', 'http://192.168.0.9:5173'];

describe('isAllowedOrigin', () => {
  test('allows a request without an origin', () => {
    expect(isAllowedOrigin({ origin: undefined, host: 'api.test', allowedOrigins })).toBe(true);
  });

  test.each(allowedOrigins)('allows %s, which is in the list', (origin) => {
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
  ])('allows a page from %s to call the host %s', (origin, host) => {
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
  ])('rejects the origin %j', (origin) => {
    expect(isAllowedOrigin({ origin, host: 'api.test', allowedOrigins })).toBe(false);
  });

  test.each([undefined, '', ':3000', 'a b'])('allows no origin for the host %j', (host) => {
    expect(isAllowedOrigin({ origin: 'http://api.test', host, allowedOrigins: [] })).toBe(false);
  });
});
