import { describe, expect, test } from '@jest/globals';
import { formatLogLine, timeOfLine } from './format-log-line.ts';

const of = { service: 'orders', service_version: '1.0.0', service_instance: 'orders-7d9f' };
const entry = { level: 'info', time: '2026-05-01T18:02:03.456Z', ...of };

describe('a log line', () => {
  test('shows the service and message first and the request id last', () => {
    const line = JSON.stringify({
      ...entry,
      request_id: 'r1',
      route: 'POST /orders',
      status: 201,
      spans: { commit: 3 },
      msg: 'request',
    });

    expect(formatLogLine(line)).toBe(
      '18:02:03.456 INFO  orders      request route=POST /orders status=201 spans={"commit":3} request_id=r1',
    );
    expect(timeOfLine(line)).toBe(entry.time);
  });

  test('puts the stacks of an error and its cause on separate lines', () => {
    const err = { type: 'Error', message: 'a', stack: 'Error: a\n    at b', cause: { type: 'Error', message: 'c' } };

    expect(formatLogLine(JSON.stringify({ ...entry, level: 'error', err, msg: 'failed' })).split('\n')).toEqual([
      '18:02:03.456 ERROR orders      failed',
      '    Error: a',
      '        at b',
      '    because of',
      '    Error: c',
    ]);
  });

  test.each(['', 'Segmentation fault', '{"broken', 'null', '42'])('stays unchanged if it is %j', (line) => {
    expect(formatLogLine(line)).toBe(line);
    expect(timeOfLine(line)).toBe('');
  });
});
