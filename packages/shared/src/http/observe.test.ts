import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { endpoint } from '@comanda/contracts/endpoint';
import { id, line, object, optional, tableName } from '@comanda/contracts/schema';
import { rawCall } from '@comanda/testing/raw-socket';
import { until } from '@comanda/testing/until';
import { createLogger } from '../runtime/logger.ts';
import { createMetrics } from '../runtime/metrics.ts';
import { noTraces } from '../tracing/tracer.ts';
import { createApi } from './api.ts';
import { serve, type Listening } from './serve.ts';

const contract = { service: 'orders', summary: 'A thing', problems: [], who: 'anyone' } as const;
const nothing = { 204: { about: 'Nothing', body: null } };
const getThing = endpoint({
  ...contract,
  method: 'GET',
  path: '/things/{id}',
  name: 'getThing',
  params: { id: id() },
  query: { table: optional(tableName()) },
  responses: nothing,
});
const orderHistory = endpoint({
  ...contract,
  method: 'GET',
  path: '/orders/{id}/history',
  name: 'orderHistory',
  params: { id: id() },
  responses: nothing,
});
const placeOrder = endpoint({
  ...contract,
  method: 'POST',
  path: '/orders',
  name: 'placeOrder',
  body: object({ name: line(20) }),
  responses: { 201: { about: 'It', body: object({ id: id() }), headers: ['Location'] } },
});

let server: Listening;
let lines: Record<string, unknown>[] = [];
beforeAll(async () => {
  const log = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  const { app, handle } = createApi({
    tracer: noTraces,
    logger: createLogger({ service: 'test', level: 'info' }, log),
    version: '1.2.3',
    metrics: createMetrics('test'),
    tokens: null,
    translate: [],
    dependencies: [],
  });
  handle(getThing, () => ({ status: 204 }));
  handle(orderHistory, () => ({ status: 204 }));
  handle(placeOrder, () => ({ status: 201, body: { id: 1043 }, headers: { Location: '/orders/1043' } }));
  server = await serve(app, { port: 0, host: '127.0.0.1' });
});
beforeEach(() => {
  lines = [];
});
afterAll(() => server.close());

const get = async (path: string, headers: Record<string, string> = {}): Promise<void> => {
  await fetch(server.url + path, { headers });
};
/** Waits for this number of requests in the log and returns their lines. */
const logged = (count: number) =>
  until(() => [lines.filter(({ msg }) => msg === 'request')].find(({ length }) => length === count), {
    what: `${count} request log lines`,
  });

describe('the log line for a request', () => {
  test('omits the query and the token, and has the duration', async () => {
    const token = 'head.canary.signature';
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    await get('/things/7?table=A-1', { authorization: `Bearer ${token}`, traceparent });

    expect(await logged(1)).toMatchObject([
      { route: 'GET /things/{id}', status: 204, trace_id: '0af7651916cd43dd8448eb211c80319c', aborted: false },
    ]);
    expect(JSON.stringify(lines)).not.toContain('canary');
    expect(JSON.stringify(lines)).not.toContain('A-1');

    const measured = await fetch(`${server.url}/metrics`).then((response) => response.text());

    expect(measured.split('\n')).toContainEqual(
      expect.stringMatching(/^http_request_duration_seconds_count\{.*route="GET \/things\/\{id\}",status="204"\} \d/),
    );
  });

  test('has an order id only if the request places an order or is about one', async () => {
    await get('/things/7');
    await get('/v1/orders/1042/history');
    const headers = { 'content-type': 'application/json' };
    await fetch(`${server.url}/orders`, { method: 'POST', headers, body: '{"name":"a"}' });

    expect((await logged(3)).map(({ order_id: order }) => order)).toEqual([undefined, 1042, 1043]);
  });

  test("has the client's network only if the request was rejected", async () => {
    await get('/things/7');
    await get('/nothing');

    const [served, refused] = await logged(2);

    expect(served).not.toHaveProperty('network');
    expect(refused).toMatchObject({ status: 404, route: 'none', network: '127.0.0.1' });
  });

  test("isn't an error if the client disconnects before it has sent its whole body", async () => {
    const head = 'POST /orders HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n';
    await rawCall(server.url, `${head}{"na`, { timeoutMs: 100 });

    expect(await logged(1)).toMatchObject([{ route: 'POST /orders', aborted: true }]);
    expect(lines.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
