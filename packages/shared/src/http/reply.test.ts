import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { endpoint, roles } from '@comanda/contracts/endpoint';
import { id, line, list, object } from '@comanda/contracts/schema';
import { startTestIssuer, type TestIssuer } from '@comanda/testing/test-issuer';
import { createLogger } from '../runtime/logger.ts';
import { createMetrics } from '../runtime/metrics.ts';
import { noTraces } from '../tracing/tracer.ts';
import { createApi } from './api.ts';
import { serve, type Listening } from './serve.ts';
import { createTokenVerifier, type TokenVerifier } from './token-verifier.ts';

const listThings = endpoint({
  service: 'orders',
  summary: 'Things',
  problems: [],
  method: 'GET',
  path: '/things',
  name: 'listThings',
  who: 'anyone',
  responses: { 200: { about: 'All', body: list(object({ id: id(), name: line(20) })) } },
});
const listFew = endpoint({ ...listThings, path: '/few', name: 'listFew' });
const listMine = endpoint({ ...listThings, path: '/mine', name: 'listMine', who: roles });
const things = Array.from({ length: 100 }, (_each, at) => ({ id: at + 1, name: 'Pão de queijo' }));

let issuer: TestIssuer;
let tokens: TokenVerifier;
let server: Listening;
beforeAll(async () => {
  issuer = await startTestIssuer();
  const logger = createLogger({ service: 'test', level: 'error' });
  tokens = createTokenVerifier({ ...issuer, logger });
  const { app, handle } = createApi({
    tracer: noTraces,
    logger,
    version: '1.2.3',
    metrics: createMetrics('test'),
    tokens,
    translate: [],
    dependencies: [],
  });
  handle(listThings, () => ({ status: 200, body: things }));
  handle(listFew, () => ({ status: 200, body: things.slice(0, 10) }));
  handle(listMine, () => ({ status: 200, body: things }));
  server = await serve(app, { port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await server.close();
  tokens.close();
  await issuer.close();
});

test.each([
  { path: '/things', accepted: 'gzip, deflate, br', encoding: 'gzip' },
  { path: '/things', accepted: 'br;q=1.0, GZIP;q=0.8', encoding: 'gzip' },
  { path: '/things', accepted: 'identity', encoding: null },
  { path: '/things', accepted: 'gzip;q=0, br', encoding: null },
  { path: '/few', accepted: 'gzip', encoding: null },
  { path: '/mine', accepted: 'gzip', encoding: null },
])(
  'only long lists that anyone may read are compressed: $path with $accepted',
  async ({ path, accepted, encoding }) => {
    const token = issuer.token({ sub: 3, role: 'manager' });
    const response = await fetch(server.url + path, {
      headers: { 'accept-encoding': accepted, authorization: `Bearer ${token}` },
    });

    expect([response.headers.get('content-encoding'), response.headers.get('vary')]).toEqual([
      encoding,
      path === '/things' ? 'Accept-Encoding' : null,
    ]);
    expect(await response.json()).toEqual(things.slice(0, path === '/few' ? 10 : 100));
  },
);
