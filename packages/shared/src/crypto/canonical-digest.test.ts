import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { canonicalDigest } from './canonical-digest.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test("the digest depends on the order of a list, but not on the order of an object's keys", () => {
  const one = [{ name: 'Caf\u00e9', price: '4.00' }, { name: 'Suco' }];
  const same = [{ price: '4.00', name: 'Caf\u00e9' }, { name: 'Suco' }];

  expect(canonicalDigest(one)).toBe(sha256('[{"name":"Caf\u00e9","price":"4.00"},{"name":"Suco"}]'));
  expect(canonicalDigest(same)).toBe(canonicalDigest(one));
  expect(canonicalDigest(one.toReversed())).not.toBe(canonicalDigest(one));
});
