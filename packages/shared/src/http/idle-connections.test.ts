import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { testService } from '@comanda/testing/test-secrets';
import { until } from '@comanda/testing/until';
import type { ConsumeStepUp } from '@comanda/contracts/internal';
import { noTraces } from '../tracing/tracer.ts';
import { askAuthStepup } from './ask-auth-stepup.ts';
import type { SensitiveCall } from './step-up.ts';

let server: Server;
const sockets: Socket[] = [];
beforeAll(async () => {
  server = createServer({ keepAliveTimeout: 65_000 }, (_req, res) => res.writeHead(503).end('{}'));
  server.on('connection', (socket) => sockets.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test('the caller closes an idle connection to auth-stepup sooner than a stopping auth-stepup would', async () => {
  const { port } = server.address() as AddressInfo;
  const ask = askAuthStepup(`http://127.0.0.1:${port}`, { service: testService('transfers'), tracer: noTraces });
  const call = { header: () => undefined, context: { requestId: 'first', traceparent: 'none' } };

  const answered = ask({} as ConsumeStepUp, call as unknown as SensitiveCall);

  await expect(answered).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(sockets.map(({ destroyed }) => destroyed)).toEqual([false]);
  await until(() => sockets.every(({ destroyed }) => destroyed), { what: 'the idle connection to be ended' });
  ask.close();
});
