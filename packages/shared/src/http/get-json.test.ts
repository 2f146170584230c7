import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getJson } from './get-json.ts';

describe('asking another service for JSON', () => {
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
  const ask = (path: string, timeoutMs = 10_000) => getJson(`${url}/${path}`, AbortSignal.timeout(timeoutMs));

  test('when the answer is JSON, then that is what it says', async () => {
    expect(await ask('json')).toEqual({ keys: [] });
  });
  test.each([
    ['is none of success', 'missing', /answered 404/],
    ['is not JSON', 'text', /JSON/],
    ['breaks off', 'broken', /aborted/],
  ])('when the answer %s, then it is refused', async (_what, path, why) => {
    await expect(ask(path)).rejects.toThrow(why);
  });
  test.each([
    ['never comes', 'silence'],
    ['never ends', 'half'],
  ])('when the answer %s, then the signal ends the wait', async (_what, path) => {
    await expect(ask(path, 100)).rejects.toThrow(/aborted/);
  });
});
