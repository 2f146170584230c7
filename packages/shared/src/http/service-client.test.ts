import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { claimAccountPayment, getAccountPayment } from '@comanda/contracts/internal';
import { testCallerSecrets, testService } from '@comanda/testing/test-secrets';
import { noTraces } from '../tracing/tracer.ts';
import { createServiceClient, type ServiceClient } from './service-client.ts';
import { createSignatureCheck, signatureHeader } from './service-signature.ts';

describe('a client of another service', () => {
  const check = createSignatureCheck(testCallerSecrets);
  let response: { status: number; body: object; isSigned?: boolean };
  let received: unknown[];
  let client: ServiceClient;
  const server = createServer((req, res) => void respond(req, res));
  async function respond(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { method = '', url: target = '', headers } = req;
    const sent = await buffer(req);
    const verified = check({ method, target, body: sent, header: String(headers[signatureHeader.toLowerCase()]) });
    const { authorization, 'x-request-id': requestId, traceparent } = headers;
    received.push({ sender: verified?.name, call: `${method} ${target}`, body: sent.toString() });
    received.push({ authorization, requestId, traceparent });
    const { status, isSigned = true } = response;
    const body = Buffer.from(JSON.stringify(response.body));
    if (verified && isSigned) res.setHeader(signatureHeader, verified.sign({ status, body }));
    res.writeHead(status).end(body);
  }
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const service = testService('transfers');
    client = createServiceClient({ url, service, tracer: noTraces, timeoutMs: 1000, unavailable: 'Not now.' });
  });
  beforeEach(() => {
    response = { status: 200, body: { id: 7 } };
    received = [];
  });
  afterAll(async () => {
    client.close();
    server.close();
    await once(server, 'close');
  });
  const get = () => client.call(getAccountPayment, { params: { id: 7 } }, null);

  test("forwards the user's token, and the request's id and trace", async () => {
    const body = { purpose: 'payment', jti: 'a', token_expires_at: '2026-01-01T00:00:00Z', total: '1.00' } as const;
    const context = { requestId: 'first', traceparent: 'trace' };
    const user = { header: (name: string) => (name === 'authorization' ? 'Bearer x' : undefined), context };
    const claim = { ...body, currency: 'BRL' };

    expect(await client.call(claimAccountPayment, { params: { id: 7 }, body: claim }, user)).toEqual({ id: 7 });
    expect(received).toEqual([
      { sender: 'transfers', call: 'POST /internal/bill-payments/7/claim', body: JSON.stringify(claim) },
      { authorization: 'Bearer x', requestId: 'first', traceparent: 'trace' },
    ]);
  });
  test('adds only its signature to a call without a user', async () => {
    expect(await get()).toEqual({ id: 7 });
    expect(received).toEqual([{ sender: 'transfers', call: 'GET /internal/bill-payments/7', body: '' }, {}]);
  });
  test("throws the other service's problem with its fields", async () => {
    const body = { type: '/problems/not_found', title: 'Not found', status: 404, code: 'not_found', request_id: 'x' };
    response = { status: 404, body: { ...body, detail: 'No such payment.' } };

    await expect(get()).rejects.toMatchObject({ code: 'not_found', members: { detail: 'No such payment.' } });
  });
  test.each([
    ['has a problem code from a newer release', { status: 409, body: { code: 'unheard_of' } }],
    ['reports that the service failed', { status: 500, body: { code: 'internal_error' } }],
    ['is not signed', { status: 200, body: { id: 7 }, isSigned: false }],
  ])('throws a 503 if the response %s', async (_what, given) => {
    response = given;

    const failure = { code: 'service_unavailable', members: { detail: 'Not now.' }, headers: { 'Retry-After': '1' } };
    await expect(get()).rejects.toMatchObject(failure);
  });
});
