import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { serviceNames } from '@comanda/local-stack/stack-settings';
import { caller, codeOf, created, type Call, type Called } from '@comanda/testing/call';
import { openFeedClient, type FeedClient } from '@comanda/testing/feed-client';
import { startOtlpCollector, type OtlpCollector } from '@comanda/testing/otlp-collector';
import { startStackHere, type Stack } from '@comanda/testing/stack';
import {
  choosePin,
  depositKey,
  openAccount,
  pin,
  registerCustomer,
  tokenFor,
  withoutLimits,
  type RegisteredCustomer,
} from '@comanda/testing/step-up-calls';
import { until } from '@comanda/testing/until';

const collectorKey = 'canary-of-the-collector';
let collector: OtlpCollector;
let stack: Stack;
let feed: FeedClient;
let manager: Call;
let ana: RegisteredCustomer & { account: number };
let dishId: number;

beforeAll(async () => {
  collector = await startOtlpCollector();
  stack = await startStackHere('traces', {
    ...withoutLimits,
    LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: `x-api-key=${collectorKey}`,
  });
  manager = caller(stack.gatewayUrl, { token: stack.managerToken });
  created(await choosePin(manager));
  const customer = await registerCustomer(stack, 'Anacleta');
  created(await choosePin(customer.call));
  ana = { ...customer, account: await openAccount(customer.call) };
  const headers = { 'x-step-up-token': await tokenFor(manager, depositKey) };
  created(await manager('POST', `/accounts/${ana.account}/deposits`, { body: { amount: '100.00' }, headers }));
  dishId = created(await manager('POST', '/menu', { body: { name: 'Moqueca', price: '20.00' } })).id;
  feed = openFeedClient(stack.notifierUrl, { token: stack.managerToken });
  await feed.untilStatus('live');
});
afterAll(async () => {
  feed?.close();
  await stack?.close();
  await collector?.close();
});

type Line = { service: string; msg: string; request_id?: string; trace_id?: string; route?: string };
const logLines = (): Line[] =>
  serviceNames.flatMap((name) =>
    stack.services[name]
      .output()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line),
  );
/** Waits until the gateway has logged this response's request. Returns all log lines with the request's id. */
const linesOf = ({ headers }: Called): Promise<Line[]> =>
  until(
    () => {
      const lines = logLines().filter(({ request_id: id }) => id === headers.get('x-request-id'));
      return lines.some(({ service }) => service === 'gateway') ? lines : null;
    },
    { what: 'the line of the request' },
  );
/** Returns the trace id of a request through the gateway. Checks that all of its log lines have the same id. */
async function traceOf(response: Called): Promise<string> {
  const ids = new Set((await linesOf(response)).map(({ trace_id: id }) => id ?? 'none'));
  expect(ids.size).toBe(1);
  return [...ids][0] ?? '';
}

const order = (headers: Record<string, string> = {}): Promise<Called> =>
  ana.call('POST', '/orders', {
    body: {
      items: [{ item_id: dishId, quantity: 1, remarks: 'canary-remark' }],
      allergies: 'canary-allergy',
      table: '12',
    },
    headers,
  });
/**
 * Sends a transfer with this token. The tests get their tokens beforehand, one after another, because one user can't have two PIN
 * checks at the same time.
 */
function transfer(to: number, token: string): Promise<Called> {
  const headers = { 'x-step-up-token': token };
  const body = { from_account_id: ana.account, to_account_id: to, amount: '1.00', description: 'canary-description' };
  return ana.call('POST', '/accounts/internal-transfers', { body, headers });
}

describe('an order', () => {
  test('has a single trace from the gateway to the sockets', async () => {
    const placed = await order();
    const { id } = created(placed);
    const traceId = await traceOf(placed);
    const spans = await collector.untilSpans(traceId, [
      'gateway: POST /orders',
      'orders: POST /orders',
      'orders: publish order.created',
      'notifier: push order.created',
    ]);

    expect(collector.tree(traceId)).toEqual([
      'gateway: POST /orders',
      '  gateway: POST /orders',
      '    orders: POST /orders',
      '      notifier: push order.created',
      '      orders: publish order.created',
    ]);
    expect(spans.find(({ name }) => name === 'push order.created')).toMatchObject({
      kind: 5,
      failed: false,
      attributes: {
        'messaging.system': 'rabbitmq',
        'messaging.operation.type': 'process',
        'messaging.rabbitmq.destination.routing_key': 'order.created',
        'messaging.message.id': feed.events.find(
          ({ type, subject }) => type === 'order.created' && subject === String(id),
        )?.id,
        'cloudevents.event_subject': String(id),
        'comanda.feed.sockets': 1,
      },
    });
    const server = { 'http.request.method': 'POST', 'http.route': '/orders', 'http.response.status_code': 201 };
    expect(spans.find(({ service, kind }) => service === 'orders' && kind === 2)?.attributes).toMatchObject(server);
    expect(spans.find(({ service, kind }) => service === 'gateway' && kind === 3)?.attributes).toEqual({
      'http.request.method': 'POST',
      'url.template': '/orders',
      'http.response.status_code': 201,
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(stack.services.orders.url).port),
    });
  });

  test('has the route instead of the URL in its span when it is fetched by id', async () => {
    const { id } = created(await order());
    const read = await ana.call('GET', `/orders/${id}`);
    const traceId = await traceOf(read);

    const spans = await collector.untilSpans(traceId, ['gateway: GET /orders/{id}', 'orders: GET /orders/{id}']);
    expect(JSON.stringify(spans)).not.toContain(`/orders/${id}`);
  });

  test("links to a client's trace, but doesn't continue it", async () => {
    const theirs = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
    for (const flags of ['00', '01']) {
      const placed = await order({ traceparent: `00-${theirs.traceId}-${theirs.spanId}-${flags}` });
      created(placed);
      const traceId = await traceOf(placed);
      const spans = await collector.untilSpans(traceId, ['gateway: POST /orders']);

      expect(traceId).not.toBe(theirs.traceId);
      expect(spans.find(({ parentSpanId }) => parentSpanId === null)?.links).toEqual([theirs]);
    }
    expect(collector.spans.filter(({ traceId }) => traceId === theirs.traceId)).toEqual([]);
  });
});

describe('a transfer', () => {
  const transferTree = [
    'gateway: POST /accounts/internal-transfers',
    '  gateway: POST /accounts/internal-transfers',
    '    transfers: POST /accounts/internal-transfers',
  ];
  const pushed = ['      notifier: push transfer.posted'];
  const published = ['      transfers: publish transfer.posted'];
  const names = [...transferTree, ...pushed, ...published].map((line) => line.trim());

  test('has a single trace from the gateway through transfers to the token check', async () => {
    const to = await openAccount(manager);
    const posted = await transfer(to, await tokenFor(ana.call));
    created(posted);
    const traceId = await traceOf(posted);
    await collector.untilSpans(traceId, [...names, 'auth-stepup: POST /internal/step-up/consume']);

    expect(collector.tree(traceId)).toEqual([
      ...transferTree,
      ...pushed,
      '      transfers: POST /internal/step-up/consume',
      '        auth-stepup: POST /internal/step-up/consume',
      '          auth-stepup: spend step-up token',
      ...published,
    ]);
  });

  test('has its own token check in its trace, even if many tokens are spent together', async () => {
    const to = await openAccount(manager);
    const tokens: string[] = [];
    for (let count = 0; count < 12; count++) tokens.push(await tokenFor(ana.call));
    const made = await Promise.all(tokens.map((token) => transfer(to, token)));
    const traceIds = await Promise.all(made.map(traceOf));
    await Promise.all(
      traceIds.map((traceId) => collector.untilSpans(traceId, [...names, 'auth-stepup: spend step-up token'])),
    );

    expect(new Set(traceIds).size).toBe(12);
    const trees = traceIds.map((traceId) => collector.tree(traceId));
    expect(trees.flat().some((line) => line.includes('consume-list'))).toBe(true);
    for (const tree of trees) {
      expect(tree.filter((line) => line.endsWith('spend step-up token'))).toHaveLength(1);
      expect(tree.filter((line) => line.startsWith('without'))).toEqual([]);
    }
  });

  test('shows in its span that it was rejected', async () => {
    const to = await openAccount(manager);
    const token = await tokenFor(ana.call);
    created(await transfer(to, token));
    const refused = await transfer(to, token);
    expect(refused.status).toBe(401);
    const traceId = await traceOf(refused);
    const spans = await collector.untilSpans(traceId, ['auth-stepup: spend step-up token']);

    expect(spans.find(({ name }) => name === 'spend step-up token')).toMatchObject({
      failed: true,
      attributes: { 'error.type': 'step_up_used' },
    });
  });
});

describe('a collector that misbehaves', () => {
  const waiting: ServerResponse[] = [];
  afterEach(() => {
    collector.respondWith();
    for (const res of waiting.splice(0)) res.end('{}');
  });

  test.each<[string, (res: ServerResponse) => void]>([
    ['hangs', (res) => void waiting.push(res)],
    ['returns 500', (res) => void res.writeHead(500).end('no')],
    ['breaks connections', (res) => void res.destroy()],
  ])("doesn't stop orders and transfers if it %s", async (_what, response) => {
    const to = await openAccount(manager);
    const token = await tokenFor(ana.call);
    const before = collector.requests.length;
    collector.respondWith(response);
    const first = created(await order());
    await until(() => collector.requests.length > before + 1, { what: 'requests that it does not take' });

    const second = created(await order());
    expect(codeOf(await transfer(to, token))).toBe('201');
    const subjects = [first, second].map(({ id }) => String(id));
    await until(
      () =>
        subjects.every((subject) =>
          feed.events.some((event) => event.type === 'order.created' && event.subject === subject),
        ),
      {
        what: 'both orders on the screen',
      },
    );
  });

  test('gets the waiting spans once it accepts spans again', async () => {
    collector.respondWith((res) => void waiting.push(res));
    const placed = await order();
    const traceId = await traceOf(placed);
    await until(() => waiting.length > 1, { what: 'services that wait' });
    collector.respondWith();
    for (const res of waiting.splice(0)) res.end('{}');

    await collector.untilSpans(traceId, ['gateway: POST /orders', 'notifier: push order.created']);
  });
});

test("a request for an unknown page doesn't record a span", async () => {
  const before = collector.spans.length;
  await stack.call('GET', '/wp-admin');
  const placed = await order();
  await collector.untilSpans(await traceOf(placed), ['gateway: POST /orders']);

  const names = collector.spans.slice(before).map(({ name }) => name);
  expect(names.filter((name) => name === 'none' || name === 'GET')).toEqual([]);
});

test('every log line with a request id has a trace id', async () => {
  await order();
  const ofRequests = logLines().filter(({ request_id: id }) => id !== undefined);

  expect(ofRequests.length).toBeGreaterThan(20);
  expect(ofRequests.filter(({ trace_id: id }) => !/^[0-9a-f]{32}$/.test(id ?? ''))).toEqual([]);
});

test("spans don't contain guests' texts or secrets", async () => {
  const placed = await order();
  const posted = await transfer(await openAccount(manager), await tokenFor(ana.call));
  created(posted);
  await collector.untilSpans(await traceOf(placed), ['orders: POST /orders', 'notifier: push order.created']);
  const ofTransfer = ['transfers: POST /accounts/internal-transfers', 'auth-stepup: POST /internal/step-up/consume'];
  await collector.untilSpans(await traceOf(posted), ofTransfer);
  const sent = collector.requests.map(({ body }) => body).join('\n');

  expect(collector.defects).toEqual([]);
  expect(new Set(collector.spans.map(({ service }) => service))).toEqual(new Set(serviceNames));
  expect(new Set(collector.requests.map(({ headers }) => headers['x-api-key']))).toEqual(new Set([collectorKey]));
  for (const secret of ['canary', 'Anacleta', ana.email, ana.token, ana.token.split('.').at(-1), pin, 'Bearer'])
    expect(sent).not.toContain(secret);
  expect(JSON.stringify(logLines())).not.toContain(collectorKey);
});
