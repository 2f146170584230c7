import { describe, expect, test } from '@jest/globals';
import { findMissing } from './find-missing.ts';

describe('findMissing', () => {
  test.each([
    ['all names in a new restaurant', { names: ['1', '2', '10'], stored: [], existing: [], missing: ['1', '2', '10'] }],
    ['no names if all tables exist', { names: ['2', '1'], stored: ['1', '2'], existing: ['2', '1'], missing: [] }],
    ['the other names', { names: ['1', '2', '3'], stored: ['2', 'bar'], existing: ['2'], missing: ['1', '3'] }],
    ['no name that differs only in case', { names: ['t9', 'T10'], stored: ['T9'], existing: ['T9'], missing: ['T10'] }],
    ['a name once if two of them read the same', { names: ['t9', 'T9'], stored: [], existing: [], missing: ['t9'] }],
    ['no name if two read like one table', { names: ['t9', 'T9'], stored: ['T9'], existing: ['T9'], missing: [] }],
    [
      'no name of two tables from release 1.0.0 that differ only in case',
      { names: ['T9', 't9'], stored: ['t9', 'T9'], existing: ['T9', 't9'], missing: [] },
    ],
  ])('returns %s', (_what, { names, stored, ...expected }) => {
    const { existing, missing } = findMissing(
      names,
      stored.map((name) => ({ name })),
    );

    expect({ existing: existing.map(({ name }) => name), missing }).toEqual(expected);
  });
});
