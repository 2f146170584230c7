import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeAuthority, makeServerCertificate } from '../certificates.ts';
import { createKubernetesApi, type KubernetesApi, type KubernetesObject } from './api.ts';

const objectOf = (name: string): KubernetesObject => ({ metadata: { name, uid: name, resourceVersion: '7' } });

describe('calls of the API server', () => {
  let server: Server;
  let api: KubernetesApi;
  let connections = 0;
  let watching: PromiseWithResolvers<ServerResponse>;
  beforeAll(async () => {
    watching = Promise.withResolvers();
    const authority = await makeAuthority('test');
    const certificate = await makeServerCertificate(['127.0.0.1'], authority);
    async function reply(request: IncomingMessage, answer: ServerResponse): Promise<void> {
      const body = Buffer.concat(await request.toArray()).toString();
      if (request.url === '/pods?watch=1&resourceVersion=7') {
        answer.flushHeaders();
        watching.resolve(answer);
      } else if (request.url === '/pods')
        answer.end(JSON.stringify({ metadata: { resourceVersion: '7' }, items: [objectOf('orders-1')] }));
      else if (request.url === '/missing') answer.writeHead(404).end(JSON.stringify({ message: 'no such pod' }));
      else answer.end(JSON.stringify({ method: request.method, body }));
    }
    server = createServer(certificate, (request, answer) => void reply(request, answer));
    server.on('secureConnection', () => connections++);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    api = createKubernetesApi({ url, token: 'secret', authority: authority.cert });
  });
  afterAll(async () => {
    api.close();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  test('when a DELETE has a body, then the next call on its connection is understood too', async () => {
    const first = await api.call('DELETE', '/pod', { uid: 'u1' });
    const after = connections;
    const second = await api.call('DELETE', '/pod', { uid: 'u2' });

    expect([first, second]).toEqual([
      { method: 'DELETE', body: '{"uid":"u1"}' },
      { method: 'DELETE', body: '{"uid":"u2"}' },
    ]);
    expect(connections).toBe(after);
  });

  test('when the answer is no success, then the error says what was asked, the status and why', async () => {
    await expect(api.call('GET', '/missing')).rejects.toMatchObject({
      status: 404,
      message: 'GET /missing: 404 no such pod',
    });
  });

  test('when objects are followed, then each change gives all that there are', async () => {
    const seen: string[][] = [];
    const changed = Promise.withResolvers<void>();
    const stop = new AbortController();
    api.follow('/pods', {
      signal: stop.signal,
      onChange: (pods) => {
        seen.push([...pods.keys()]);
        if (seen.length === 3) changed.resolve();
      },
    });
    const watch = await watching.promise;
    for (const [type, name] of [
      ['ADDED', 'orders-2'],
      ['DELETED', 'orders-1'],
    ] as const)
      watch.write(`${JSON.stringify({ type, object: objectOf(name) })}\n`);
    await changed.promise;
    stop.abort();

    expect(seen).toEqual([['orders-1'], ['orders-1', 'orders-2'], ['orders-2']]);
  });
});
