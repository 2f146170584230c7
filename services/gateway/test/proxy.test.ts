import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { rawCall } from '@comanda/testing/raw-socket';
import { until } from '@comanda/testing/until';
import { startGatewayHarness, type GatewayHarness } from './support/harness.ts';
import { echo } from './support/peer.ts';

let gateway: GatewayHarness;
let token: string;
beforeAll(async () => {
  gateway = await startGatewayHarness();
  token = gateway.issuer.token({ sub: 5, role: 'manager' });
});
beforeEach(() => {
  gateway.peer.arrived = [];
  gateway.peer.response = echo;
});
afterAll(() => gateway.close());

const host = 'Host: gateway\r\n';
const getMenu = `GET /menu HTTP/1.1\r\n${host}\r\n`;

describe('a request', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const postOrder = (body: string) =>
    fetch(`${gateway.url}/v1/orders?x=%2F..%2F&y=a+b`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json; charset=utf-8',
        'idempotency-key': 'key-1',
        'x-step-up-token': 'a.b.c',
        accept: 'text/csv',
        'accept-encoding': 'gzip',
        'if-match': '"3"',
        'if-none-match': '"4"',
        'x-request-id': 'request-1234',
        traceparent,
        tracestate: 'vendor=1',
        baggage: 'user=1',
      },
      body,
    });

  test('reaches the service unchanged', async () => {
    const body = JSON.stringify({ items: [{ item_id: 7, quantity: 2, remarks: 'sem pimenta, já ção' }] });

    await postOrder(body);

    const [request] = gateway.peer.arrived;
    expect(request).toMatchObject({ method: 'POST', url: '/v1/orders?x=%2F..%2F&y=a+b' });
    expect(Buffer.from(request?.body ?? '', 'latin1').toString()).toBe(body);
  });

  test('keeps the headers in its contract', async () => {
    const response = await postOrder('{}');

    expect(response.headers.get('x-request-id')).toBe('request-1234');
    expect(gateway.peer.arrived[0]?.headers).toMatchObject({
      authorization: [`Bearer ${token}`],
      'content-type': ['application/json; charset=utf-8'],
      'idempotency-key': ['key-1'],
      'x-step-up-token': ['a.b.c'],
      accept: ['text/csv'],
      'accept-encoding': ['gzip'],
      'if-match': ['"3"'],
      'if-none-match': ['"4"'],
      'x-request-id': ['request-1234'],
    });
  });

  test('keeps only the cookies for known devices', async () => {
    const headers = { cookie: 'session=1; comanda-device-a1=b2;comanda-device-c3=d4; other=comanda-device-x' };
    await fetch(`${gateway.url}/menu`, { headers });
    await fetch(`${gateway.url}/menu`, { headers: { cookie: 'session=1' } });

    const arrived = gateway.peer.arrived.map((request) => request.headers['cookie']);
    expect(arrived).toEqual([['comanda-device-a1=b2; comanda-device-c3=d4'], undefined]);
  });

  test('gets a new trace id if tracing is off', async () => {
    await postOrder('{}');

    const { headers = {} } = gateway.peer.arrived[0] ?? {};
    expect(headers['traceparent']?.join()).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(headers['traceparent']?.join()).not.toContain('0af7651916cd43dd8448eb211c80319c');
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['tracestate']));
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(['baggage']));
  });

  test('reaches the service with a length header if its body is chunked', async () => {
    await rawCall(
      gateway.url,
      `POST /auth/login HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`,
    );

    const [request] = gateway.peer.arrived;
    expect(request).toMatchObject({ body: '{}' });
    const { 'content-length': lengths = [], 'transfer-encoding': codings = [] } = request?.headers ?? {};
    expect([...lengths, ...codings]).toHaveLength(1);
  });

  test("doesn't close the connection to the service when the client closes its own", async () => {
    const closing = `GET /menu HTTP/1.1\r\n${host}Connection: close\r\n\r\n`;
    await rawCall(gateway.url, getMenu);
    const connections = gateway.peer.connections();

    const first = await rawCall(gateway.url, closing, { until: 'close' });
    const second = await rawCall(gateway.url, closing, { until: 'close' });

    expect([first, second]).toMatchObject([
      { status: 200, end: 'complete' },
      { status: 200, end: 'complete' },
    ]);
    expect(gateway.peer.connections()).toBe(connections);
  });
});

describe('a response', () => {
  const contractHeaders = {
    'content-type': 'application/json',
    etag: '"1"',
    location: '/orders/1',
    link: '</orders?cursor=a>; rel="next"',
    'idempotent-replayed': 'true',
  };

  test('reaches the client with its status and body', async () => {
    gateway.peer.response = (_req, res) => res.writeHead(201, 'Whatever', contractHeaders).end('{"id":1}');

    const response = await rawCall(gateway.url, getMenu);

    expect(response).toMatchObject({ status: 201, headers: contractHeaders, end: 'complete' });
    expect(response.text).toContain('{"id":1}');
  });

  test('loses headers about the service or its connection', async () => {
    gateway.peer.response = (_req, res) =>
      res
        .writeHead(200, {
          connection: 'keep-alive, x-internal',
          'x-internal': 'secret',
          'keep-alive': 'timeout=3',
          server: 'secret/1.0',
          'x-powered-by': 'secret',
          via: '1.1 secret',
          'proxy-authenticate': 'Basic',
        })
        .end('{}');

    const response = await rawCall(gateway.url, getMenu);

    expect(response.status).toBe(200);
    expect(response.text).not.toMatch(/secret|basic/i);
  });

  test("has the gateway's own headers, even if the service sets them", async () => {
    gateway.peer.response = (_req, res) =>
      res
        .writeHead(200, {
          'access-control-allow-origin': '*',
          'x-frame-options': 'ALLOWALL',
          'x-request-id': 'id-of-the-service',
        })
        .end('{}');

    const response = await rawCall(gateway.url, getMenu);

    expect(response.headers).toMatchObject({ 'x-frame-options': 'DENY' });
    expect(response.text).not.toMatch(/allow-origin|ALLOWALL|id-of-the-service/);
  });

  test.each([
    ['HEAD', 200],
    ['GET', 304],
    ['DELETE', 204],
  ])('has no body for %s with status %i', async (method, status) => {
    gateway.peer.response = (req, res) => {
      if (req.url === '/menu/2') return echo(req, res);
      res.writeHead(status, { etag: '"1"', ...(status === 200 && { 'content-length': '1000' }) }).end();
    };

    const { text } = await rawCall(
      gateway.url,
      `${method} /menu/1 HTTP/1.1\r\n${host}Authorization: Bearer ${token}\r\n\r\nGET /menu/2 HTTP/1.1\r\n${host}Connection: close\r\n\r\n`,
      { until: 'close' },
    );

    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*\\r\\n\\r\\nHTTP/1.1 200 OK[\\s\\S]*"/menu/2"`));
  });
});

test('a gateway that is closing still responds to requests in flight', async () => {
  const closing = await startGatewayHarness();
  let finish = (): void => undefined;
  closing.peer.response = (req, res) => void (finish = () => echo(req, res));
  const response = rawCall(closing.url, getMenu, { until: 'close' });
  await until(() => closing.peer.arrived.length > 0, { what: 'the request to arrive' });

  const closed = closing.close();
  const refused = await rawCall(closing.url, getMenu);
  finish();

  expect(refused).toMatchObject({ end: 'reset' });
  expect(await response).toMatchObject({ status: 200, end: 'complete' });
  await closed;
});
