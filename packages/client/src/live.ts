import type { Bill } from '@comanda/contracts/bills';
import type { MenuItem } from '@comanda/contracts/menu';
import type { Order, OrderStatus } from '@comanda/contracts/order';
import type { Client } from './client.ts';
import { bills } from './collections/bills.ts';
import { menu } from './collections/menu.ts';
import { orders, ordersWith } from './collections/orders.ts';
import type { Feed } from './feed/feed-types.ts';
import type { CollectionOptions } from './live/collection.ts';
import { createDrift } from './live/drift.ts';
import type { Change, ChangeSource } from './live/list.ts';
import type { Source } from './live/source.ts';

// The lists for programs that use callbacks instead of signals.

export type LiveHandlers<T> = Omit<CollectionOptions<T>, 'drift'> & {
  /**
   * Called with the ids of resources that a comparison with the server found before the feed delivered them. The list already
   * contains them.
   */
  onDrift?: (ids: readonly number[]) => void;
  /**
   * Called with the whole list after every change, and with the differences from the previous call. Use these differences to
   * alert a person, because events may repeat. Do not alert before `isComplete`, or about the user's own call.
   */
  onChange: (all: readonly T[], changes: readonly Change<T>[], source: ChangeSource) => void;
};
export type Live<T> = {
  all: () => readonly T[];
  feed: Feed;
  /**
   * Returns true if the whole list was fetched since the last gap and the last sign-in, even while the feed was not live. Until
   * then, the list may be incomplete even if events have added orders, so don't show it as empty.
   */
  isRead: () => boolean;
  /**
   * Returns true if the list was fetched since the feed became live, the last gap and the last sign-in. Until then, `all` returns
   * the last content, which may be incomplete or from before the gap.
   */
  isComplete: () => boolean;
  /**
   * Applies a resource if it is newer than the list's version, and calls `onChange` immediately. The responses to this client's
   * own calls are applied without it.
   */
  apply: (resource: T) => void;
  /** Removes a resource. */
  remove: (id: number) => void;
  close: () => void;
};

/** Follows a list by callbacks. */
function follow<T>(
  { collection }: Client,
  source: Source<T>,
  { onChange, onDrift, ...options }: LiveHandlers<T>,
): Live<T> {
  const drift = onDrift && createDrift((ids) => onDrift(ids.map(Number)));
  const list = collection(source, { ...options, drift });
  const { rows, state, isLoaded, feed, apply, remove, close } = list;
  list.onChange(({ changes, source: from }) => onChange(rows.peek(), changes, from));
  const isComplete = (): boolean => state.peek() === 'complete';
  return { all: () => rows.peek(), feed, isRead: () => isLoaded.peek(), isComplete, apply, remove, close };
}

/**
 * Follows the user's orders. `statuses` limits the list to orders with these statuses; by default it has all. Of the delivered and
 * cancelled orders, it contains the newest 200 from the last 12 hours.
 */
export const liveOrders = (
  client: Client,
  { statuses, ...handlers }: LiveHandlers<Order> & { statuses?: readonly OrderStatus[] },
): Live<Order> => follow(client, statuses ? ordersWith(statuses) : orders, handlers);

/** Follows the menu. */
export const liveMenu = (client: Client, handlers: LiveHandlers<MenuItem>): Live<MenuItem> =>
  follow(client, menu, handlers);

/** Follows the bills that the user may read: see `bills`. */
export const liveBills = (client: Client, handlers: LiveHandlers<Bill>): Live<Bill> => follow(client, bills, handlers);
