import { describe, expect, test } from '@jest/globals';
import { createLatestVersions } from './latest-versions.ts';

describe('latest versions', () => {
  test('are forgotten for the oldest retired resources when too many are retired', () => {
    const resources = createLatestVersions<{ id: number; version: number }>();
    for (let id = 1; id <= 6000; id++) {
      const resource = { id, version: 2 };
      resources.apply(resource);
      resources.retire([resource]);
    }

    const isForgotten = (id: number): boolean => resources.apply({ id, version: 1 });

    expect([1, 1000, 1001, 6000].map(isForgotten)).toEqual([true, true, false, false]);
    expect(resources.all().map(({ id }) => id)).toEqual([1, 1000]);
  });
  test('include resources of version 0, such as the settings of a new restaurant', () => {
    const resources = createLatestVersions<{ id: number; version: number }>();
    expect(resources.apply({ id: 1, version: 0 })).toBe(true);
    expect(resources.apply({ id: 1, version: 0 })).toBe(false);
    expect(resources.all()).toEqual([{ id: 1, version: 0 }]);
  });
});
