import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { endSigned } from '@comanda/testing/signed-response';
import { testService } from '@comanda/testing/test-secrets';
import { createServiceConnection, type ServiceConnection } from './service-connection.ts';
import { signatureHeader } from './service-signature.ts';

describe('a connection to a service', () => {
  /** A signed response that an eavesdropper recorded earlier. */
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
    if (req.url === '/failed') res.writeHead(500).end('not JSON');
    if (req.url === '/too-large') res.writeHead(413).end('not JSON');
    if (req.url === '/broken') res.write('{"ke', () => res.destroy());
    if (req.url === '/half') res.write('{"ke');
  });
  let url: string;
  let connection: ServiceConnection;
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    connection = createServiceConnection(url, testService('orders'));
  });
  afterAll(async () => {
    connection.close();
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  const get = (path: string, { timeoutMs = 10_000, on = connection } = {}) =>
    on.send({ method: 'GET', target: `/${path}`, deadline: performance.now() + timeoutMs });

  test('returns the status and the JSON of a signed response', async () => {
    expect(await get('json')).toEqual({ status: 200, body: { keys: [] } });
  });
  test.each([
    ['failed', 500],
    ['too-large', 413],
  ])('returns an empty body for a status that services do not sign (%s)', async (path, status) => {
    expect(await get(path)).toEqual({ status, body: {} });
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
    const stranger = createServiceConnection(url, { name: 'orders', secret: testService('gateway').secret });

    await expect(get('json', { on: stranger })).rejects.toThrow('is not signed with SERVICE_SECRET');
    stranger.close();
  });
  test.each([
    ['is not JSON', 'text', /JSON/],
    ['is cut off', 'broken', /aborted/],
  ])('fails if the response %s', async (_what, path, message) => {
    await expect(get(path)).rejects.toThrow(message);
  });
  test.each([
    ['never comes', 'silence'],
    ['never ends', 'half'],
  ])('gives up at the deadline if the response %s', async (_what, path) => {
    await expect(get(path, { timeoutMs: 100 })).rejects.toThrow(/no response in time|aborted/);
  });
  test('rejects waiting requests when it is closed', async () => {
    const closing = createServiceConnection(url, testService('orders'));
    const arrived = once(server, 'request');
    const waiting = get('silence', { on: closing });
    await arrived;
    closing.close();

    await expect(waiting).rejects.toThrow('hang up');
  });
});
