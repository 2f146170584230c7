import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { http } from '@comanda/shared/runtime/node-http';
import { GatewayRequest } from '../request-state.ts';
import { createUploadReader } from './read-upload.ts';

const server = http.createServer({ IncomingMessage: GatewayRequest });
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());

/** Receives a request with a body, and returns a function that makes its client leave. */
async function receive() {
  const { port } = server.address() as AddressInfo;
  const sent = http.request({ port, host: '127.0.0.1', method: 'POST', agent: false });
  sent.on('error', () => undefined).end('body');
  const [req, res] = (await once(server, 'request')) as [GatewayRequest, ServerResponse];
  const leave = async (): Promise<void> => {
    const closed = once(res, 'close');
    sent.destroy();
    await closed;
  };
  return { req, res, leave };
}

test('an upload frees its place if its client disconnects before the file is read', async () => {
  const readUpload = createUploadReader({ maxAtOnce: 1, maxOfUser: 1 });
  const read = ({ req, res }: Awaited<ReturnType<typeof receive>>): Promise<Buffer> => {
    const state = { req, res, client: { address: '192.0.2.1', secure: false }, caller: null };
    return readUpload(state, { upload: { types: ['image/jpeg'], maxMegabytes: 1 } });
  };
  const gone = await receive();
  await gone.leave();
  await read(gone).catch(() => undefined);

  const next = await receive();
  const body = await read(next);
  next.res.end();

  expect(body.toString()).toBe('body');
});
