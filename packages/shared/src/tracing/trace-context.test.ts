import { describe, expect, test } from '@jest/globals';
import { newSpanId, newTraceId, newTraceparent, readTraceparent, toTraceparent } from './trace-context.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';

test.each([
  [`00-${traceId}-${spanId}-01`, true],
  [`00-${traceId}-${spanId}-03`, true],
  [`00-${traceId}-${spanId}-00`, false],
  [`00-${traceId}-${spanId}-fe`, false],
])('when a trace is read from %s, then it is recorded: %s', (text, sampled) => {
  expect(readTraceparent(text)).toEqual({ traceId, spanId, sampled });
});

describe('what is no trace', () => {
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
    `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`, // sent twice
    ` 00-${traceId}-${spanId}-01`,
    `00-${traceId}-${spanId}-01\n`,
    `00-${'a'.repeat(100_000)}-${spanId}-01`,
    `00-${traceId.slice(0, 31)}é-${spanId}-01`,
    ['00'],
  ])('when %p comes, then it is ignored', (text) => {
    expect(readTraceparent(text)).toBeNull();
  });
});

test('when ids are made, then each is another one, and what is made of them is read again', () => {
  const ids = Array.from({ length: 100 }, () => ({ traceId: newTraceId(), spanId: newSpanId(), sampled: true }));

  expect(ids.map((each) => readTraceparent(toTraceparent(each)))).toEqual(ids);
  expect(new Set(ids.flatMap((each) => [each.traceId, each.spanId])).size).toBe(200);
});

test('when a trace begins without a request, then nobody records it', () => {
  expect(readTraceparent(newTraceparent())).toMatchObject({ sampled: false });
});
