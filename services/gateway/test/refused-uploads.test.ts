import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@comanda/testing/until';
import { startGatewayHarness, type GatewayHarness } from './support/harness.ts';

let gateway: GatewayHarness;
beforeAll(async () => {
  gateway = await startGatewayHarness();
});
afterAll(() => gateway.close());

const megabyte = 1024 * 1024;
const upload = (size: number) =>
  fetch(`${gateway.url}/menu-pictures`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${gateway.issuer.token({ sub: 5, role: 'manager' })}`,
      'content-type': 'image/jpeg',
    },
    body: new Uint8Array(size),
  });

/** Starts an upload of `size` bytes from this manager without sending them. */
async function begin(size: number, sub: number): Promise<Socket> {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  const head = [
    'POST /menu-pictures HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${gateway.issuer.token({ sub, role: 'manager' })}`,
    'Content-Type: image/jpeg',
    `Content-Length: ${size}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return socket;
}

test('the connection of a rejected upload stays open so that the client can read the response', async () => {
  const slow = await Promise.all(Array.from({ length: 8 }, (_each, at) => begin(1000, 10 + at)));
  const refused = await begin(9 * megabyte, 5);
  try {
    await until(async () => (await upload(10)).status === 503, { what: 'the gateway to have all eight' });
    let answered = '';
    refused.on('data', (bytes: Buffer) => (answered += bytes.toString('latin1')));
    const broken = once(refused, 'close').then(() => 'closed');
    refused.on('error', () => undefined);
    await until(() => answered.includes('service_unavailable'), { what: 'the answer' });

    refused.write(Buffer.alloc(9 * megabyte));
    refused.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');

    const next = until(() => answered.includes('HTTP/1.1 200'), { what: 'the next answer' }).then(() => 'answered');
    expect(await Promise.race([next, broken])).toBe('answered');
    expect(answered).toContain('Retry-After: 2');
  } finally {
    for (const socket of [...slow, refused]) socket.destroy();
  }
});
