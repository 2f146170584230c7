import { describe, expect, test } from '@jest/globals';
import type { LiveOrder } from '@comanda/client';
import { createChance } from './chance.ts';
import { openKitchen } from './kitchen.ts';

type Move = { id: number; item_id: number; status: string };

/** Opens a kitchen without waiting times, and records the status changes that it makes. */
function openTestKitchen() {
  const moves: Move[] = [];
  const staff = { calls: { updateOrderItem: async (move: Move) => void moves.push(move) } };
  const kitchen = openKitchen({
    staff: staff as never,
    manager: staff as never,
    chance: createChance(1),
    pass: () => new Promise((resolve) => setImmediate(resolve)),
    attempt: async (_what, call) => {
      await call();
      return true;
    },
    signal: new AbortController().signal,
  });
  return { kitchen, moves };
}
const order = (id: number, stations: readonly string[]): LiveOrder =>
  ({
    id,
    items: stations.map((station, index) => ({ id: 10 * id + index, name: 'Feijoada', station, status: 'received' })),
  }) as never;

describe('the kitchen in the simulation', () => {
  test('serves each dish only once, even if the feed repeats an order', async () => {
    const { kitchen, moves } = openTestKitchen();
    const placed = order(1, ['kitchen', 'bar']);

    kitchen.work([placed]);
    kitchen.work([placed]);
    await kitchen.untilServed(1);

    const statusesOf = (itemId: number) => moves.filter((move) => move.item_id === itemId).map(({ status }) => status);
    expect([10, 11].map(statusesOf)).toEqual([
      ['preparing', 'ready', 'delivered'],
      ['preparing', 'ready', 'delivered'],
    ]);
  });

  test('starts the oldest tickets first if there are more tickets than cooks', async () => {
    const { kitchen, moves } = openTestKitchen();
    const placed = [1, 2, 3, 4, 5, 6].map((id) => order(id, ['kitchen']));

    kitchen.work(placed);
    await Promise.all(placed.map(({ id }) => kitchen.untilServed(id)));

    const started = moves.filter(({ status }) => status === 'preparing').map(({ id }) => id);
    expect(started.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(new Set(started.slice(0, 3))).toEqual(new Set([1, 2, 3]));
  });
});
