import { expect, test } from '@jest/globals';
import { checksumOf, createChecksum } from './checksum.ts';

const order = (id: number, version: number) => ({ id, version });

test('when resources are added and removed one by one, then the checksum is that of what is left, in any order', () => {
  const checksum = createChecksum();
  for (const each of [order(1, 1), order(2, 5), order(3, 2)]) checksum.add(each);
  checksum.remove(order(2, 5));
  checksum.add(order(2, 6));

  expect(checksum.text()).toBe(checksumOf([order(3, 2), order(2, 6), order(1, 1)]));
  expect(checksumOf([])).toBe('0-0');
});

test('when sets differ in one version, one id or one resource, then so do their checksums, also if the sums of versions are equal', () => {
  const sets = [];
  for (let first = 1; first <= 40; first++)
    for (let second = 1; second <= 40; second++) sets.push([order(1042, first), order(1043, second)]);
  sets.push([order(1042, 1)], [order(1043, 1)], [order(1042, 1), order(1044, 1)], [order(4_000_001_042, 1)]);

  expect(new Set(sets.map(checksumOf)).size).toBe(sets.length);
});
