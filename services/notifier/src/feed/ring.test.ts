import { describe, expect, test } from '@jest/globals';
import type { Entry } from './entry.ts';
import { createRing } from './ring.ts';

const entry = (offset: number, weight = 1): Entry => ({
  offset,
  id: `id-${offset}`,
  type: 'order.created',
  cursor: '',
  rooms: [],
  packet: 'an event',
  weight,
});
const heartbeat = (offset: number): Entry => ({ ...entry(offset), packet: '' });

describe('a replay buffer', () => {
  test('stores the newest events of any size within both limits, and reports their total size', () => {
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
        // These values are not compared with `expect`, because 40,000 such calls would take most of the test's time.
        if (!isRight) wrong.push({ limits, bytes: ring.bytes(), held, pushed: [...pushed] });
      }
      expect(wrong.slice(0, 1)).toEqual([]);
      const [oldest = entry(0)] = ring.slice(0, 1);
      expect(ring.positionAfter(oldest)).toEqual({ kind: 'in_ring', next: 1 });
      expect(ring.positionAfter({ offset: oldest.offset - 1, id: '' }).kind).toBe('older');
      expect(ring.beginning().kind).toBe(oldest === pushed[0] ? 'in_ring' : 'older');
    }
  });

  test('keeps as many of the newest events as fit', () => {
    const ring = createRing({ maxEntries: 50, maxBytes: 1000 });
    for (let offset = 0; offset < 56; offset++) ring.push(entry(offset));
    const byCount = ring.slice(0, Infinity).length;
    for (let offset = 56; offset < 100; offset++) ring.push(entry(offset, 50));

    const byBytes = ring.slice(0, Infinity).length;

    expect([byCount, byBytes >= 20]).toEqual([50, true]);
  });

  test('keeps heartbeats without removing events, but drops the oldest heartbeats if there are too many', () => {
    const ring = createRing({ maxEntries: 10, maxBytes: 100_000 });
    const events = Array.from({ length: 10 }, (_, index) => entry(index * 1000));
    for (const event of events) {
      ring.push(event);
      for (let offset = event.offset + 1; offset < event.offset + 1000; offset++) ring.push(heartbeat(offset));
    }

    const held = ring.slice(0, Infinity);

    expect(held.filter(({ packet }) => packet !== '')).toEqual(events);
    expect(held.length).toBeLessThanOrEqual(560);
    expect(ring.bytes()).toBe(held.length);
    expect([ring.newestSent()?.offset, ring.newest()?.offset]).toEqual([9000, 9999]);
    expect(ring.positionAfter({ offset: 0, id: 'id-0' })).toEqual({ kind: 'in_ring', next: 1 });
    expect(ring.positionAfter({ offset: 9998, id: 'id-9998' }).kind).toBe('in_ring');
    expect(ring.positionAfter({ offset: 5000, id: 'other' }).kind).toBe('unknown');
    // The position belongs to a heartbeat that the ring has dropped but that is still in the stream.
    expect(ring.positionAfter({ offset: 500, id: 'id-500' }).kind).toBe('older');
  });

  test('keeps an event larger than the buffer even when heartbeats follow it', () => {
    const ring = createRing({ maxEntries: 10, maxBytes: 100 });
    ring.push(entry(1, 1000));
    for (let offset = 2; offset < 200; offset++) ring.push(heartbeat(offset));

    expect(ring.slice(0, 1)).toEqual([entry(1, 1000)]);
  });
});
