import { expect, test } from '@jest/globals';
import { newTraceId, readTraceparent } from './trace-context.ts';
import { createTracer, noTraces, type FinishedSpan } from './tracer.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parentSpanId = 'b7ad6b7169203331';
function start(ratio: number) {
  const spans: FinishedSpan[] = [];
  const add = (span: FinishedSpan): void => void spans.push(span);
  return { spans, tracer: createTracer({ ratio, add, close: () => Promise.resolve() }) };
}

test('a child span is in the same trace and becomes the parent of the next span', () => {
  const { spans, tracer } = start(1);
  const span = tracer.startSpan(`00-${traceId}-${parentSpanId}-01`, { kind: 'client' });
  span?.end({ name: 'GET /menu', attributes: { a: 1 } });

  const { spanId } = readTraceparent(span?.traceparent) ?? {};
  expect(spans).toMatchObject([
    { traceId, parentSpanId, spanId, kind: 'client', name: 'GET /menu', attributes: { a: 1 }, error: null, link: null },
  ]);
  expect(spanId).not.toBe(parentSpanId);
  expect(readTraceparent(span?.traceparent)).toMatchObject({ traceId, sampled: true });
});

test('no span is recorded if its parent is not recorded or is invalid', () => {
  const { tracer } = start(1);

  for (const parent of [`00-${traceId}-${parentSpanId}-00`, '', 'nonsense'])
    expect(tracer.startSpan(parent, { kind: 'server' })).toBeNull();
});

test('spans with a recorded parent are recorded at any ratio', () => {
  const { tracer } = start(0);

  expect(tracer.startSpan(`00-${traceId}-${parentSpanId}-01`, { kind: 'server' })).not.toBeNull();
  expect(tracer.startTrace(newTraceId(), { kind: 'server' })).toBeNull();
});

test('a ratio of 0.25 records about a quarter of the traces, which are the same in all services', () => {
  const [one, other] = [start(0.25).tracer, start(0.25).tracer];
  const traceIds = Array.from({ length: 4000 }, newTraceId);
  const chosenBy = (tracer: typeof one) => traceIds.filter((id) => tracer.startTrace(id, { kind: 'server' }) !== null);

  expect(chosenBy(one)).toEqual(chosenBy(other));
  // The tolerance is six standard deviations, so the test practically never fails by chance.
  expect(Math.abs(chosenBy(one).length - 1000)).toBeLessThan(165);
});

test('no spans are recorded when traces are off', () => {
  expect(noTraces.startTrace(traceId, { kind: 'server' })).toBeNull();
  expect(noTraces.startSpan(`00-${traceId}-${parentSpanId}-01`, { kind: 'server' })).toBeNull();
});
