import { expect, test } from '@jest/globals';
import { nextLink } from './next-link.ts';

test('the link to the next page repeats the query and replaces its cursor', () => {
  const query = { status: 'open,closed', cursor: 9, limit: 2, table: undefined };

  expect(nextLink('/bills', query, '7-a')).toEqual({
    Link: '</bills?status=open%2Cclosed&cursor=7-a&limit=2>; rel="next"',
  });
});
test.each([null, undefined])('the last page has no link to a next page (cursor %s)', (cursor) => {
  expect(nextLink('/bills', { limit: 2 }, cursor)).toEqual({});
});
