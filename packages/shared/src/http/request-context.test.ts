import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { readRequestId } from './request-context.ts';

const idFor = (sent: string): string =>
  readRequestId({ headers: { 'x-request-id': sent } } as unknown as IncomingMessage);

test('a valid request id is kept', () => {
  expect(idFor('abcdefgh-1')).toBe('abcdefgh-1');
});

test.each(['short', 'with space', 'x'.repeat(65), 'a\u0001b'.repeat(4)])(
  'the invalid request id %j is replaced',
  (sent) => {
    expect(idFor(sent)).toMatch(/^[0-9a-f-]{36}$/);
  },
);
