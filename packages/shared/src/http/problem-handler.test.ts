import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { endpoint } from '@comanda/contracts/endpoint';
import { NothingWritten, problem } from '@comanda/contracts/problem';
import { createLogger } from '../runtime/logger.ts';
import { createMetrics } from '../runtime/metrics.ts';
import { noTraces } from '../tracing/tracer.ts';
import { createApi } from './api.ts';
import { serve, type Listening } from './serve.ts';

const contract = {
  service: 'orders',
  summary: 'A thing',
  problems: [],
  path: '/things',
  who: 'anyone',
  responses: { 204: { about: 'Nothing', body: null } },
} as const;
const getThing = endpoint({ ...contract, method: 'GET', name: 'getThing' });
const addThing = endpoint({ ...contract, method: 'POST', name: 'addThing' });
class StoreDown extends Error {}
class TooLarge extends Error {}

let server: Listening;
/** The error that every handler throws. */
let failure: Error;
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
    translate: [
      (error) => (error instanceof StoreDown ? problem('service_unavailable', {}, { 'Retry-After': '2' }) : null),
      (error) => (error instanceof TooLarge ? new NothingWritten('service_unavailable', {}, {}) : null),
    ],
    dependencies: [],
  });
  for (const each of [getThing, addThing])
    handle(each, () => {
      throw failure;
    });
  server = await serve(app, { port: 0, host: '127.0.0.1' });
});
beforeEach(() => {
  lines = [];
});
afterAll(() => server.close());

async function send(method: 'GET' | 'POST') {
  const response = await fetch(`${server.url}/things`, { method });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body };
}

describe("the response to a handler's error", () => {
  test("doesn't say that the outcome is unknown if the error is a problem", async () => {
    failure = problem('menu_item_exists', { detail: 'Pão' });

    const { status, body } = await send('POST');

    expect([status, body]).toMatchObject([
      409,
      { type: '/problems/menu_item_exists', code: 'menu_item_exists', detail: 'Pão' },
    ]);
    expect(body).not.toHaveProperty('outcome');
  });

  test('hides the details of an unexpected error, which are only in the log', async () => {
    failure = new Error('canary-in-an-error');

    const { headers, body } = await send('POST');

    const requestId = headers.get('x-request-id');
    expect(body).toEqual({
      type: '/problems/internal_error',
      title: 'Internal error',
      status: 500,
      code: 'internal_error',
      outcome: 'unknown',
      request_id: requestId,
    });
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        request_id: requestId,
        err: expect.objectContaining({ message: 'canary-in-an-error' }),
      }),
    );
    expect((await send('GET')).body).not.toHaveProperty('outcome');
  });

  test('is a 503 with Retry-After and an unknown outcome if the store fails during a write', async () => {
    failure = new StoreDown();

    const { status, headers, body } = await send('POST');

    expect([status, headers.get('retry-after')]).toEqual([503, '2']);
    expect(body).toMatchObject({ code: 'service_unavailable', outcome: 'unknown' });
  });

  test("doesn't say that the outcome is unknown if the store's error says that nothing was written", async () => {
    failure = new TooLarge();

    const { status, body } = await send('POST');

    expect([status, body['code'], body['outcome']]).toEqual([503, 'service_unavailable', undefined]);
  });

  test("repeats the detail from a handler's 503", async () => {
    failure = problem('service_unavailable', { detail: 'Too many concurrent writes.' }, { 'Retry-After': '1' });

    expect((await send('GET')).body).toMatchObject({ detail: 'Too many concurrent writes.' });
  });
});
