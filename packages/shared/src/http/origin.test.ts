import { describe, expect, test } from '@jest/globals';
import { isAllowedOrigin } from './origin.ts';

const allowedOrigins = ['https://menu.example.com', 'http://192.168.0.9:5173'];

describe('which origins may call', () => {
  test.each(['same', 'any'] as const)('when no origin is sent, then it may (port: %s)', (port) => {
    expect(isAllowedOrigin({ origin: undefined, host: 'api.test', allowedOrigins, port })).toBe(true);
  });

  test.each(allowedOrigins)('when %s is in the list, then it may', (origin) => {
    expect(isAllowedOrigin({ origin, host: 'api.test', allowedOrigins, port: 'same' })).toBe(true);
  });

  test.each([
    ['http://api.test', 'api.test'],
    ['https://api.test', 'api.test'],
    ['https://api.test', 'api.test:443'],
    ['http://api.test', 'API.test:80'],
    ['http://192.168.0.5:3000', '192.168.0.5:3000'],
    ['http://[::1]:3000', '[::1]:3000'],
  ])('when the page is of %s and the host is %s, then it may, whatever the rule for ports', (origin, host) => {
    expect(isAllowedOrigin({ origin, host, allowedOrigins: [], port: 'same' })).toBe(true);
    expect(isAllowedOrigin({ origin, host, allowedOrigins: [], port: 'any' })).toBe(true);
  });

  test.each([
    ['http://api.test:3000', 'api.test:3004'],
    ['http://api.test', 'api.test:3004'],
    ['https://api.test', 'api.test:80'],
  ])('when the page is of %s and the host is %s, then the rule for ports decides', (origin, host) => {
    expect(isAllowedOrigin({ origin, host, allowedOrigins: [], port: 'same' })).toBe(false);
    expect(isAllowedOrigin({ origin, host, allowedOrigins: [], port: 'any' })).toBe(true);
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
    expect(isAllowedOrigin({ origin, host: 'api.test', allowedOrigins, port: 'same' })).toBe(false);
    expect(isAllowedOrigin({ origin, host: 'api.test', allowedOrigins, port: 'any' })).toBe(false);
  });

  test.each([undefined, '', ':3000', 'a b'])('when the host is %j, then no origin is its own', (host) => {
    expect(isAllowedOrigin({ origin: 'http://api.test', host, allowedOrigins: [], port: 'any' })).toBe(false);
  });
});
