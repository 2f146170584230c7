import { expect, test } from '@jest/globals';
import { exceptionFilterOf, exceptionQueryOf } from './exception-filter.ts';

const since = '2026-11-20T22:00:00.000Z';

test.each([
  [exceptionQueryOf({ day: 214 }), { day: 214, since: null }],
  [exceptionQueryOf({ since }), { day: null, since }],
  ['', { day: null, since: null }],
  ['day=x&since=y', { day: null, since: null }],
])('the address %j lists %j', (query, filter) => {
  expect(exceptionFilterOf(query)).toEqual(filter);
});
