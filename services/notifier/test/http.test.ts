import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startNotifierHarness, type NotifierHarness } from './support/harness.ts';

let harness: NotifierHarness;
beforeAll(async () => {
  harness = await startNotifierHarness();
});
afterAll(() => harness.close());

test('a request to upgrade to another protocol is treated like an ordinary request', async () => {
  const { hostname, port } = new URL(harness.url);
  const socket = connect(Number(port), hostname);
  const lines = ['GET /readyz HTTP/1.1', 'Host: localhost', 'Connection: Upgrade', 'Upgrade: h2c', '', ''];
  socket.write(lines.join('\r\n'));

  const [response] = (await once(socket, 'data')) as [Buffer];

  expect(response.toString()).toMatch(/^HTTP\/1\.1 200 /);
  socket.destroy();
});

test('metrics are available only on the inner port', async () => {
  const ask = async (url: string): Promise<unknown[]> => {
    const responses = await Promise.all(['/metrics', '/readyz'].map((path) => fetch(url + path)));
    return [responses[0]?.status, await responses[1]?.json()];
  };

  expect(await ask(harness.url)).toEqual([404, { status: 'ready' }]);
  expect(await ask(harness.metricsUrl)).toEqual([
    200,
    { status: 'ready', version: expect.any(String), dependencies: expect.objectContaining({ rabbitmq: 'up' }) },
  ]);
});
