import { describe, expect, test } from '@jest/globals';
import { carriedEventsOf, shareCarriers } from './carried-events.ts';

const placed = (id: number, bytes: number) => ({
  order: { id },
  message: { id: `event ${id}`, type: 'order.created', time: new Date(0), body: 'é'.repeat(bytes / 2) },
});
/** Returns how many events each outbox contains if a batch creates orders whose events have these sizes, in bytes. */
const groupSizes = (sizes: readonly number[]): number[] =>
  shareCarriers(
    sizes.map((bytes, index) => placed(index + 1, bytes)),
    new Set(),
  ).map(({ messages }) => messages.length);
const many = (count: number, bytes: number): number[] => Array.from({ length: count }, () => bytes);

describe("new orders' events", () => {
  test.each<[string, number[], number[]]>([
    ['none if there are no orders', [], []],
    ['one for an order alone', [1500], [1]],
    ['up to 64 with events of usual size', many(130, 1500), [64, 64, 2]],
    ['as many as fit in 256 KB', many(7, 100_000), [2, 2, 2, 1]],
    ['few if one event is large', [1500, 60_000, ...many(5, 1500)], [4, 3]],
    ['only its own if that is larger than 256 KB', [1500, 300_000, 1500], [1, 1, 1]],
  ])('are stored in as few orders as possible: %s', (_what, sizes, expected) => {
    expect(groupSizes(sizes)).toEqual(expected);
  });

  test.each<[string, number[], number[][]]>([
    ['the first order', [1], [[2, 3, 4], [1]]],
    ['an order between others', [2], [[1, 3, 4], [2]]],
    ['every order', [1, 2, 3, 4], [[1], [2], [3], [4]]],
    ['an order of an earlier batch', [9], [[1, 2, 3, 4]]],
  ])('are stored in their own order if the batch also changes it: %s', (_what, changedIds, expected) => {
    const orders = [1, 2, 3, 4].map((id) => placed(id, 1500));

    const carriages = shareCarriers(orders, new Set(changedIds));

    expect(carriages.map(({ messages }) => messages.map(({ id }) => id))).toEqual(
      expected.map((ids) => ids.map((id) => `event ${id}`)),
    );
    expect(carriages.map(({ carrier, others }) => [carrier, ...others].map(({ order }) => order.id))).toEqual(expected);
  });

  test("are looked up only if another order stores them and their own order hasn't changed", () => {
    const carriedEvent = { id: 'a', carrierId: 1 };
    const orders = [
      { version: 1, carriedEvent },
      { version: 1, carriedEvent: null },
      { version: 2, carriedEvent },
    ];

    expect(carriedEventsOf(orders)).toEqual([carriedEvent]);
  });
});
