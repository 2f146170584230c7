import { expect, test } from '@jest/globals';
import { endpoints } from './registry.ts';

const withParams = endpoints.flatMap(({ name, params }) =>
  Object.entries(params ?? {}).map(([param, schema]) => ({ name, param, schema })),
);

/**
 * Calls that this test skips. `putStation` is only for screens from release 1.0.0; its replacement `setStation` has the station's
 * name in the body. `getProblem` returns 404 for anything that isn't a problem code, as the gateway does.
 */
const excepted = new Set(['putStation', 'getProblem']);

test.each(withParams.filter(({ name }) => !excepted.has(name)))(
  '$param in $name rejects everything that the gateway rejects in a path',
  ({ schema }) => {
    const refused = ['a b', 'ã', 'a%41', 'a/b', 'a;b', '..', '.', ''];
    expect(refused.filter((value) => !schema.validate(value).error)).toEqual([]);
  },
);
