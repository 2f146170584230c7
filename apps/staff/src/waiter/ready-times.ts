import { findLast } from '@comanda/contracts/collections';
import type { Client, FeedEvent, LiveOrder } from '@comanda/client/core';
import type { OrderStatus } from '@comanda/contracts/order';
import { signal } from '@preact/signals';
import type { Line } from './by-table.ts';

/** Tracks when items became ready. The orders themselves don't say, but the feed's events and the orders' histories do. */
export function createReadyTimes({ calls }: Pick<Client, 'calls'>) {
  const times = signal<ReadonlyMap<number, number>>(new Map());
  /** The version of each order, by id, at which its history was loaded. */
  const readVersions = new Map<number, number>();
  const set = (known: readonly (readonly [number, number])[]): void => {
    times.value = new Map([...times.value, ...known]);
  };

  async function readHistory(order: LiveOrder): Promise<void> {
    if (readVersions.get(order.id) === order.version) return;
    readVersions.set(order.id, order.version);
    try {
      const history = await calls.getOrderHistory({ id: order.id });
      const ready = history.filter(({ what, to }) => what === 'status' && to === 'ready');
      set(
        order.items
          .filter(({ status }) => status === 'ready')
          .map(({ id }) => {
            const entry = findLast(ready, ({ item_id: itemId }) => itemId === undefined || itemId === id);
            return [id, Date.parse(entry?.at ?? order.updated_at)] as const;
          }),
      );
    } catch {
      readVersions.delete(order.id); // Until the history is loaded, the time of the order's last change is used instead.
    }
  }
  return {
    readyAt: ({ order, item }: Line): number => times.value.get(item.id) ?? Date.parse(order.updated_at),
    takeEvent: (event: FeedEvent): void => {
      const ready = changedItems(event).filter(({ to }) => to === 'ready');
      if (ready.length > 0) set(ready.map(({ item_id: id }) => [id, Date.parse(event.time)] as const));
    },
    /** Loads the histories of orders with an item whose ready time isn't known. */
    readMissing: (orders: readonly LiveOrder[]): void => {
      for (const order of orders)
        if (order.items.some(({ id, status }) => status === 'ready' && !times.value.has(id))) void readHistory(order);
    },
  };
}

function changedItems({ type, data }: FeedEvent): readonly { item_id: number; to: OrderStatus }[] {
  if (type === 'order.item_status_changed') return [data];
  return type === 'order.status_changed' ? (data.changed_items ?? []) : [];
}
