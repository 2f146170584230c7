import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endSigned } from '@comanda/testing/signed-response';
import { testService } from '@comanda/testing/test-secrets';
import { getJson } from './get-json.ts';
import { signatureHeader } from './service-signature.ts';

describe('getJson', () => {
  /** A signed response that an eavesdropper has recorded. */
  let recorded = '';
  const server = createServer((req, res) => {
    if (req.url === '/json') endSigned(req, res, '{"keys":[]}');
    if (req.url === '/text') endSigned(req, res, 'keys');
    if (req.url === '/unsigned') res.end('{"keys":[]}');
    if (req.url === '/replayed') res.setHeader(signatureHeader, recorded).end('{"keys":[]}');
    if (req.url === '/changed') {
      const end = res.end.bind(res);
      res.end = () => end('{"keys":[1]}');
      endSigned(req, res, '{"keys":[0]}');
    }
    if (req.url === '/missing') res.writeHead(404).end('{}');
    if (req.url === '/broken') res.write('{"ke', () => res.destroy());
    if (req.url === '/half') res.write('{"ke');
  });
  let url: string;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  const get = (path: string, timeoutMs = 10_000) =>
    getJson(`${url}/${path}`, { service: testService('orders'), signal: AbortSignal.timeout(timeoutMs) });

  test('returns the value of a JSON response', async () => {
    expect(await get('json')).toEqual({ keys: [] });
  });
  test.each(['unsigned', 'replayed', 'changed'])('rejects a response that is %s', async (path) => {
    server.once('request', (_req, res) => {
      const header = res.getHeader(signatureHeader);
      if (header !== undefined) recorded = String(header);
    });
    await get('json');
    expect(recorded).not.toBe('');

    await expect(get(path)).rejects.toThrow('is not signed with SERVICE_SECRET');
  });
  test('rejects a response signed with another secret', async () => {
    const service = { name: 'orders', secret: testService('gateway').secret } as const;

    await expect(getJson(`${url}/json`, { service, signal: AbortSignal.timeout(10_000) })).rejects.toThrow(
      'is not signed with SERVICE_SECRET',
    );
  });
  test.each([
    ['has status 404', 'missing', /answered 404/],
    ['is not JSON', 'text', /JSON/],
    ['is cut off', 'broken', /aborted/],
  ])('fails when the response %s', async (_what, path, message) => {
    await expect(get(path)).rejects.toThrow(message);
  });
  test.each([
    ['never comes', 'silence'],
    ['never ends', 'half'],
  ])('stops when its signal is aborted and the response %s', async (_what, path) => {
    await expect(get(path, 100)).rejects.toThrow(/aborted/);
  });
});
