import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { createSignatureCheck, signatureHeader } from '@comanda/shared/http/service-signature';
import { testCallerSecrets } from '@comanda/testing/test-secrets';

type State = 'ends seatings' | 'refuses' | 'is down' | 'is somebody else';
export type OrdersStub = {
  url: string;
  /** The calls that the stub has answered with a 200. */
  calls: { call: string; sender: string | undefined; authorization: string | undefined; body: unknown }[];
  state: State;
  /** A function that runs once while the next call waits for its response; null to run nothing. */
  meanwhile: (() => Promise<unknown>) | null;
  close: () => Promise<void>;
};

/** Starts a stand-in for the orders service that needs no database. Tests of the apps use the real service. */
export async function startOrdersStub(): Promise<OrdersStub> {
  const check = createSignatureCheck(testCallerSecrets);
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: target = '', headers } = request;
    const body = await buffer(request);
    const header = headers[signatureHeader.toLowerCase()] as string | undefined;
    const verified = check({ method, target, body, header });
    const { authorization } = headers;
    const sender = verified?.name;
    if (stub.state === 'ends seatings')
      stub.calls.push({ call: `${method} ${target}`, sender, authorization, body: JSON.parse(body.toString()) });
    const { meanwhile } = stub;
    stub.meanwhile = null;
    await meanwhile?.();
    const status = stub.state === 'refuses' ? 503 : 200;
    if (verified && stub.state !== 'is somebody else')
      response.setHeader(signatureHeader, verified.sign({ status, body }));
    response.writeHead(status).end(body);
  }
  const server = createServer((request, response) => {
    if (stub.state === 'is down') request.socket.destroy();
    else void answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stub: OrdersStub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    state: 'ends seatings',
    meanwhile: null,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return stub;
}
