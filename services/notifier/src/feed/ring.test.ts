import { describe, expect, test } from '@jest/globals';
import type { Entry } from './entry.ts';
import { createRing } from './ring.ts';

const entry = (offset: number, weight = 1): Entry => ({
  offset,
  id: `id-${offset}`,
  cursor: '',
  rooms: [],
  packet: '',
  weight,
});

describe('the ring', () => {
  test('when events of any size are pushed, then it holds the newest ones within both limits, and weighs them right', () => {
    for (let round = 0; round < 200; round++) {
      const limits = { maxEntries: 1 + Math.floor(Math.random() * 50), maxBytes: 1 + Math.floor(Math.random() * 5000) };
      const ring = createRing(limits);
      const pushed: Entry[] = [];
      const wrong: unknown[] = [];
      for (let offset = 0; offset < 300; offset += 1 + Math.floor(Math.random() * 2)) {
        const next = entry(offset, Math.floor(Math.random() * (Math.random() < 0.1 ? 10_000 : 300)));
        pushed.push(next);
        ring.push(next);

        const held = ring.slice(0, Infinity);
        const newest = pushed.slice(-held.length);
        const isRight =
          held.length > 0 &&
          held.every((each, index) => each === newest[index]) &&
          ring.newest() === next &&
          ring.bytes() === held.reduce((sum, { weight }) => sum + weight, 0) &&
          (held.length === 1 || (held.length <= limits.maxEntries * 1.1 && ring.bytes() <= limits.maxBytes * 1.1));
        // `expect` at each of 40,000 steps would take most of the test's time.
        if (!isRight) wrong.push({ limits, bytes: ring.bytes(), held, pushed: [...pushed] });
      }
      expect(wrong.slice(0, 1)).toEqual([]);
      const [oldest = entry(0)] = ring.slice(0, 1);
      expect(ring.positionAfter(oldest)).toEqual({ kind: 'in_ring', next: 1 });
      expect(ring.positionAfter({ offset: oldest.offset - 1, id: '' }).kind).toBe('older');
      expect(ring.beginning().kind).toBe(oldest === pushed[0] ? 'in_ring' : 'older');
    }
  });
});
