import { expect, test } from '@jest/globals';
import { checksumOf, createChecksum } from './checksum.ts';

const order = (id: number, version: number) => ({ id, version });

test('the checksum depends only on the resources that remain, not on the order in which they were added and removed', () => {
  const checksum = createChecksum();
  for (const each of [order(1, 1), order(2, 5), order(3, 2)]) checksum.add(each);
  checksum.remove(order(2, 5));
  checksum.add(order(2, 6));

  expect(checksum.text()).toBe(checksumOf([order(3, 2), order(2, 6), order(1, 1)]));
  expect(checksumOf([])).toBe('0-0');
});

test('the checksum changes with any version, id or resource, even if the versions add up to the same sum', () => {
  const sets = [];
  for (let first = 1; first <= 40; first++)
    for (let second = 1; second <= 40; second++) sets.push([order(1042, first), order(1043, second)]);
  sets.push([order(1042, 1)], [order(1043, 1)], [order(1042, 1), order(1044, 1)], [order(4_000_001_042, 1)]);

  expect(new Set(sets.map(checksumOf)).size).toBe(sets.length);
});
