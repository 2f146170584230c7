import type { IncomingMessage } from 'node:http';
import { describe, expect, jest, test } from '@jest/globals';
import { createClientReader, networkOf } from './client-address.ts';

const request = (remoteAddress: string, headersDistinct: Record<string, string[]> = {}): IncomingMessage =>
  ({ socket: { remoteAddress }, headersDistinct }) as unknown as IncomingMessage;
const forwarded = (...values: string[]) => ({ 'x-forwarded-for': values, 'x-forwarded-proto': ['https'] });

const silent = { warn: () => undefined };
const createReader = (trustedProxies: string[], proxyHops = 1) =>
  createClientReader({ trustedProxies, proxyHops, logger: silent });

describe("the client's address", () => {
  test("is the socket's address if no proxy is trusted", () => {
    const read = createReader([]);

    expect(read(request('192.0.2.1', forwarded('6.6.6.6')))).toEqual({ address: '192.0.2.1', secure: false });
    expect(read(request('::ffff:192.0.2.1'))).toEqual({ address: '192.0.2.1', secure: false });
  });
  test("is taken, together with the scheme, from a trusted proxy's headers", () => {
    const read = createReader(['10.1.0.0/16', '2001:db8::1']);

    expect(read(request('10.1.2.3', forwarded('192.0.2.7')))).toEqual({ address: '192.0.2.7', secure: true });
    expect(read(request('2001:db8::1', forwarded('2001:db8::7')))).toEqual({ address: '2001:db8::7', secure: true });
    expect(read(request('10.2.0.1', forwarded('192.0.2.7')))).toEqual({ address: '10.2.0.1', secure: false });
  });
  test("belongs to a secure connection if the proxy's own connection is secure and the proxy reports no scheme", () => {
    const read = createReader(['10.1.0.0/16']);
    const from = (encrypted: boolean, protocol: string[] = []): boolean =>
      read({
        socket: { remoteAddress: '10.1.2.3', encrypted },
        headersDistinct: { ...(protocol.length > 0 && { 'x-forwarded-proto': protocol }) },
      } as unknown as IncomingMessage).secure;

    expect([from(true), from(false), from(true, ['http']), from(false, ['http', 'https'])]).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });
  test('is the address that the first of two proxies appended', () => {
    const read = createReader(['uniquelocal'], 2);

    expect(read(request('10.0.0.1', forwarded('1.1.1.1, 192.0.2.7', '10.0.0.9')))).toMatchObject({
      address: '192.0.2.7',
    });
    expect(read(request('10.0.0.1', forwarded('192.0.2.7')))).toMatchObject({ address: '192.0.2.7' });
  });
  test('is never one that the client wrote itself, even if client and proxy are in the same private network', () => {
    const read = createReader(['loopback', 'uniquelocal']);

    expect(read(request('192.168.0.1', forwarded('198.51.100.66, 192.168.0.9')))).toMatchObject({
      address: '192.168.0.9',
    });
    expect(read(request('127.0.0.1', forwarded('198.51.100.66', '10.0.0.2')))).toMatchObject({ address: '10.0.0.2' });
  });
  test.each([
    ['203.0.113.7:50001', '203.0.113.7'],
    ['[2001:db8::1]:443', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[::ffff:203.0.113.7]:50001', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
  ])('forwarded as %s is %s', (value, address) => {
    expect(createReader(['loopback'])(request('127.0.0.1', forwarded(`192.0.2.1:1, ${value}`)))).toMatchObject({
      address,
    });
  });
  test.each(['', 'unknown', '192.0.2.1:80:1', '192.0.2:80', '[]:80', '[192.0.2.1', '<script>', 'localhost'])(
    "is the proxy's, with one warning, if the proxy forwards %j, which isn't an address",
    (value) => {
      const warn = jest.fn();
      const read = createClientReader({ trustedProxies: ['loopback'], logger: { warn } });

      const addresses = [1, 2].map(() => read(request('127.0.0.1', forwarded(value))).address);

      expect(addresses).toEqual(['127.0.0.1', '127.0.0.1']);
      expect(warn.mock.calls).toEqual([[{ proxy: '127.0.0.1', reported: value }, expect.any(String)]]);
    },
  );
  test("is the proxy's, without a warning, for the proxy's own requests", () => {
    const warn = jest.fn();
    const read = createClientReader({ trustedProxies: ['loopback'], logger: { warn } });

    expect(read(request('127.0.0.1'))).toEqual({ address: '127.0.0.1', secure: false });
    expect(warn).not.toHaveBeenCalled();
  });
  test('comes with the scheme that the nearest of several proxies reports', () => {
    const read = createReader(['loopback']);

    expect(read(request('127.0.0.1', { 'x-forwarded-proto': ['https', 'http'] }))).toMatchObject({ secure: false });
  });
  test.each([
    ['https', true],
    ['HTTPS', true],
    ['http, https', true],
    ['https,http', false],
    ['wss', true], // Traefik sends this scheme for a WebSocket
    ['ws', false],
    ['', false],
  ])('belongs to a secure connection if the forwarded scheme is %j: %s', (scheme, secure) => {
    expect(createReader(['loopback'])(request('127.0.0.1', { 'x-forwarded-proto': [scheme] }))).toMatchObject({
      secure,
    });
  });
});

describe('networkOf', () => {
  test.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::7:0:0:0:1', '2001:db8:0:7::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ])('maps %s to %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
