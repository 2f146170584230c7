import { describe, expect, test } from '@jest/globals';
import { isUnchanged, opaqueTag, tagsIn } from './entity-tag.ts';

describe('tags in a header', () => {
  test.each([
    [undefined, []],
    ['"1"', ['"1"']],
    ['"1" ,W/"2",*', ['"1"', 'W/"2"', '*']],
    ['"a,*,b", "1"', ['"a,*,b"', '"1"']],
  ])('are listed without spaces (%j)', (header, tags) => {
    expect(tagsIn(header)).toEqual(tags);
  });
  test('are compared without the W/ of weak tags', () => {
    expect(['W/"1"', '"1"', '*'].map(opaqueTag)).toEqual(['"1"', '"1"', '*']);
  });
});

test.each([
  ['"1"', '"1"', true],
  ['W/"1"', '"1"', true],
  ['"1"', 'W/"1"', true],
  ['"0", "1"', '"1"', true],
  ['*', '"1"', true],
  ['1', '"1"', false],
  ['"a,*,b"', '"1"', false],
  ['"2"', '"1"', false],
  [undefined, '"1"', false],
])('isUnchanged for If-None-Match %s and the version %s returns %j', (header, etag, unchanged) => {
  expect(isUnchanged(header, etag)).toBe(unchanged);
});
