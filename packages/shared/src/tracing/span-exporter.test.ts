import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { startOtlpCollector, type OtlpCollector } from '@comanda/testing/otlp-collector';
import { createTestLogger } from '@comanda/testing/test-logger';
import { until } from '@comanda/testing/until';
import { createMetrics, type Metrics } from '../runtime/metrics.ts';
import { createSpanExporter, maxQueue, type SpanExporter } from './span-exporter.ts';
import { newSpanId, newTraceId } from './trace-context.ts';
import type { FinishedSpan } from './tracer.ts';

let collector: OtlpCollector;
let metrics: Metrics;
let lines: string[];
const exporters: SpanExporter[] = [];
beforeEach(async () => {
  collector = await startOtlpCollector();
  metrics = createMetrics('test');
  lines = [];
});
afterEach(async () => {
  for (const exporter of exporters.splice(0)) await exporter.close();
  await collector.close();
});

function startExporter(endpoint = collector.url): SpanExporter {
  const logger = createTestLogger('exporter', { level: 'info', onLine: (line) => void lines.push(line) });
  const headers = [['authorization', 'Bearer canary']] as const;
  const resource = { 'service.name': 'orders' };
  const exporter = createSpanExporter({ endpoint, headers, resource, logger, metrics, everyMs: 20 });
  exporters.push(exporter);
  return exporter;
}
const spanOf = (facts: Partial<FinishedSpan> = {}): FinishedSpan => ({
  traceId: newTraceId(),
  spanId: newSpanId(),
  parentSpanId: null,
  link: null,
  kind: 'server',
  name: 'GET /menu',
  startedAt: performance.now() - 5,
  endedAt: performance.now(),
  attributes: { 'http.route': '/menu', 'http.response.status_code': 200, left_out: undefined },
  error: null,
  ...facts,
});
function addMany({ add }: SpanExporter, count: number): void {
  for (let index = 0; index < count; index++) add(spanOf());
}
async function counted(): Promise<Record<string, number>> {
  const { values } = await metrics.getSingleMetric('comanda_trace_spans_total')!.get();
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels['outcome']), value]));
}
const untilCounted = (outcome: string, count: number): Promise<unknown> =>
  until(async () => (await counted())[outcome] === count, { what: `${count} spans that are ${outcome}` });

test('the exporter sends a finished span as OTLP JSON', async () => {
  const link = { traceId: newTraceId(), spanId: newSpanId(), sampled: true };
  const span = spanOf({ kind: 'client', parentSpanId: newSpanId(), link, error: '503' });
  startExporter().add(span);
  await until(() => collector.spans.length > 0, { what: 'a span' });

  expect(collector.defects).toEqual([]);
  expect(collector.spans).toEqual([
    {
      service: 'orders',
      name: 'GET /menu',
      kind: 3,
      traceId: span.traceId,
      spanId: span.spanId,
      parentSpanId: span.parentSpanId,
      attributes: { 'http.route': '/menu', 'http.response.status_code': 200, 'error.type': '503' },
      links: [{ traceId: link.traceId, spanId: link.spanId }],
      failed: true,
    },
  ]);
  expect(collector.requests[0]?.headers).toMatchObject({ authorization: 'Bearer canary' });
  await untilCounted('exported', 1);
});

test('the exporter sends to a path below the endpoint', async () => {
  startExporter(`${collector.url}/otlp/`).add(spanOf());
  await until(() => collector.requests.length > 0, { what: 'a request' });

  expect(collector.defects).toEqual(['POST /otlp/v1/traces']);
});

test('the exporter sends many spans in batches', async () => {
  addMany(startExporter(), 1200);
  await untilCounted('exported', 1200);

  expect(collector.spans).toHaveLength(1200);
  expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(1200);
  expect(collector.requests.length).toBeGreaterThan(2);
  expect(collector.requests.length).toBeLessThan(6);
});

describe("when a collector doesn't accept spans", () => {
  test('the exporter closes within its time limit, even if the collector hangs', async () => {
    collector.respondWith(() => undefined);
    const exporter = startExporter();
    addMany(exporter, 3 * maxQueue);
    await until(() => collector.requests.length === 1, { what: 'a request' });

    expect(await counted()).toEqual({ exported: 0, refused: 0, dropped: 2 * maxQueue });
    await exporter.close(); // without a time limit, this would hang
    expect(collector.requests).toHaveLength(1);
    expect(await counted()).toEqual({ exported: 0, refused: 0, dropped: 3 * maxQueue });
    exporter.add(spanOf());
    expect(await counted()).toMatchObject({ dropped: 3 * maxQueue + 1 });
  });

  test.each([400, 401, 404, 413, 500])('a batch is dropped when the collector responds with %d', async (status) => {
    collector.respondWith((res) => void res.writeHead(status).end('<html>no</html>'));
    const exporter = startExporter();
    exporter.add(spanOf());
    await untilCounted('refused', 1);
    collector.respondWith((res) => void res.end('{}'));
    exporter.add(spanOf());
    await untilCounted('exported', 1);

    expect(collector.requests).toHaveLength(2);
    expect(lines.join('\n')).toContain(`"status":${status}`);
  });

  test.each([429, 502, 503, 504])('a batch is retried when the collector responds with %d', async (status) => {
    collector.respondWith((res) => void res.writeHead(status, { 'retry-after': '0' }).end());
    const exporter = startExporter();
    const span = spanOf();
    exporter.add(span);
    await until(() => collector.requests.length >= 2, { what: 'a second request' });
    collector.respondWith((res) => void res.end('{}'));
    await untilCounted('exported', 1);

    expect(collector.spans.map(({ spanId }) => spanId)).toEqual([span.spanId]);
    expect(lines.filter((line) => line.includes('takes no spans'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('takes spans again'))).toHaveLength(1);
  });

  test('spans wait until the collector is back', async () => {
    const port = await freePort();
    const exporter = startExporter(`http://127.0.0.1:${port}`);
    exporter.add(spanOf());
    await until(() => lines.some((line) => line.includes('ECONNREFUSED')), { what: 'a failure in the log' });
    const later = await startOtlpCollector(port);
    await until(() => later.spans.length === 1, { what: 'the span' });

    await exporter.close();
    await later.close();
    expect(await counted()).toEqual({ exported: 1, refused: 0, dropped: 0 });
  });

  test('rejected spans are counted and dropped', async () => {
    collector.respondWith((res) => void res.end('{"partialSuccess":{"rejectedSpans":"2","errorMessage":"no"}}'));
    addMany(startExporter(), 5);
    await untilCounted('exported', 3);

    expect(await counted()).toEqual({ exported: 3, refused: 2, dropped: 0 });
    expect(collector.requests).toHaveLength(1);
  });

  test('only the start of an endless response is read', async () => {
    let written = 0;
    collector.respondWith((res) => {
      const write = (): void => {
        while (!res.destroyed && written < 1e9) {
          written += 65_536;
          if (!res.write('x'.repeat(65_536))) return void res.once('drain', write);
        }
      };
      write();
    });
    startExporter().add(spanOf());
    await untilCounted('exported', 1);

    expect(written).toBeLessThan(1e9);
  });
});

test('the exporter sends waiting spans before it closes', async () => {
  const exporter = startExporter();
  addMany(exporter, 700);
  await exporter.close();

  expect(collector.spans).toHaveLength(700);
  expect(lines.join('\n')).not.toContain('canary');
});
