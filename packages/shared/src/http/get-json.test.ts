import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getJson } from './get-json.ts';

describe('getting JSON from another service', () => {
  const server = createServer((req, res) => {
    if (req.url === '/json') res.end('{"keys":[]}');
    if (req.url === '/text') res.end('keys');
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
  const get = (path: string, timeoutMs = 10_000) => getJson(`${url}/${path}`, AbortSignal.timeout(timeoutMs));

  test('when the response is JSON, then its value is returned', async () => {
    expect(await get('json')).toEqual({ keys: [] });
  });
  test.each([
    ['has status 404', 'missing', /answered 404/],
    ['is not JSON', 'text', /JSON/],
    ['is cut off', 'broken', /aborted/],
  ])('when the response %s, then the call fails', async (_what, path, message) => {
    await expect(get(path)).rejects.toThrow(message);
  });
  test.each([
    ['never comes', 'silence'],
    ['never ends', 'half'],
  ])('when the response %s, then the signal ends the call', async (_what, path) => {
    await expect(get(path, 100)).rejects.toThrow(/aborted/);
  });
});
