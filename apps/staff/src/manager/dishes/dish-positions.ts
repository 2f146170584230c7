import type { LiveItem } from '@comanda/client/core';

type Placed = Pick<LiveItem, 'id' | 'position'>;

/**
 * Returns the position of each dish of a category in this order. The category's positions are handed out again, so that it keeps
 * its place on the menu. Two dishes with the same position get different ones.
 */
export function positionsFor(order: readonly number[], dishes: readonly Placed[]): Map<number, number> {
  const free = dishes.map(({ position }) => position).sort((one, other) => one - other);
  let last = -1;
  return new Map(
    order.map((id, at) => {
      last = Math.max(free[at] ?? 0, last + 1);
      return [id, last] as const;
    }),
  );
}
