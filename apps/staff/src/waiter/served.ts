import { groupBy } from '@comanda/contracts/collections';
import type { Client, LiveOrder } from '@comanda/client/core';
import { isBefore, statusOf } from '@comanda/contracts/transitions';
import { undoOf, type Bump } from '../bumps/bump.ts';
import { createBumpQueue, type Dropped } from '../bumps/bump-queue.ts';
import type { UnsentList } from '@comanda/ui/unsent.ts';
import type { Line } from './by-table.ts';

type Deps = {
  client: Client;
  userId: number;
  unsent: UnsentList;
  onDropped: (dropped: Dropped) => void;
};

/**
 * The dishes that this waiter has served. They are served on this screen immediately, and on the server as soon as it can be
 * reached.
 */
export function openServed({ client, userId, unsent, onDropped }: Deps) {
  const queue = createBumpQueue({ client, userId, unsent, kind: 'served', onDropped });
  const { waiting } = queue;
  function bumpOf(order: LiveOrder, itemIds: ReadonlySet<number>): Bump {
    const left = order.items.filter(({ id, status }) => !itemIds.has(id) && isBefore(status, 'delivered'));
    const isWaiting = waiting.peek().some(({ orderId }) => orderId === order.id);
    return {
      id: client.newKey(),
      orderId: order.id,
      ticket: order.ticket,
      table: order.table,
      moves: [...itemIds].map((itemId) => ({ itemId, from: 'ready', to: 'delivered' })),
      wholeOrderTo: left.length === 0 && statusOf(order.items) === 'ready' ? 'delivered' : null,
      version: isWaiting ? null : order.version,
      atMs: client.now(),
    };
  }
  return {
    waiting,
    /** Marks these dishes as served. Returns a bump for each order, which can be undone. */
    serve: (lines: readonly Line[]): readonly Bump[] => {
      const bumps = [...groupBy(lines, ({ order }) => order.id).values()].flatMap((ofOrder) =>
        ofOrder[0] ? [bumpOf(ofOrder[0].order, new Set(ofOrder.map(({ item }) => item.id)))] : [],
      );
      for (const bump of bumps) queue.add(bump);
      return bumps;
    },
    undo: (bumps: readonly Bump[]): void => {
      for (const bump of bumps)
        if (!queue.remove(bump.id)) queue.add(undoOf(bump, { id: client.newKey(), atMs: client.now(), version: null }));
    },
    retry: queue.retry,
    close: queue.close,
  };
}
