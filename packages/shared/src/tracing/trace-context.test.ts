import { describe, expect, test } from '@jest/globals';
import { newSpanId, newTraceId, newTraceparent, readTraceparent, toTraceparent } from './trace-context.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

test.each([
  [`00-${traceId}-${spanId}-01`, true],
  [`00-${traceId}-${spanId}-03`, true],
  [`00-${traceId}-${spanId}-00`, false],
  [`00-${traceId}-${spanId}-fe`, false],
])('a trace read from %s is recorded: %s', (text, sampled) => {
  expect(readTraceparent(text)).toEqual({ traceId, spanId, sampled });
});

describe('an invalid traceparent', () => {
  test.each([
    undefined,
    '',
    'nonsense',
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `ff-${traceId}-${spanId}-01`,
    `01-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-1`,
    `00-${traceId}-${spanId}-01-more`,
    `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`, // the header was sent twice
    ` 00-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01\n`,
    `00-${'a'.repeat(100_000)}-${spanId}-01`,
    `00-${traceId.slice(0, 31)}é-${spanId}-01`,
    ['00'],
  ])('%p is ignored', (text) => {
    expect(readTraceparent(text)).toBeNull();
  });
});

test('new ids are unique, and their traceparent is valid', () => {
  const ids = Array.from({ length: 100 }, () => ({ traceId: newTraceId(), spanId: newSpanId(), sampled: true }));

  expect(ids.map((each) => readTraceparent(toTraceparent(each)))).toEqual(ids);
  expect(new Set(ids.flatMap((each) => [each.traceId, each.spanId])).size).toBe(200);
});

test('a trace for an event without a request is not recorded', () => {
  expect(readTraceparent(newTraceparent())).toMatchObject({ sampled: false });
});
