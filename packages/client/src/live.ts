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

// Lists for programs that use callbacks instead of signals.

export type LiveHandlers<T> = Omit<CollectionOptions<T>, 'drift'> & {
  /**
   * Called with the ids of resources that the feed delivered too late or not at all. A comparison with the server found them
   * first, so the list already contains them.
   */
  onDrift?: (ids: readonly number[]) => void;
  /**
   * Called with the whole list after every change, and with the differences from the previous call. To alert a person, use
   * these differences, because events may repeat. Do not alert before `isComplete` returns true, or about changes by the user's
   * own calls.
   */
  onChange: (all: readonly T[], changes: readonly Change<T>[], source: ChangeSource) => void;
};
export type Live<T> = {
  all: () => readonly T[];
  feed: Feed;
  /**
   * Returns true if the whole list was fetched since the last gap and the last sign-in, even while the feed was not live.
   * Before that, the list may be incomplete even if events have added orders, so don't show it as empty.
   */
  isRead: () => boolean;
  /**
   * Returns true if the whole list was fetched while the feed was live, since the last gap and the last sign-in. Before that,
   * `all` returns the last known content, which may be incomplete or from before the gap.
   */
  isComplete: () => boolean;
  /**
   * Applies a resource if it is newer than the list's version, and calls `onChange` immediately. You don't need this for
   * responses to this client's own calls, which are applied automatically.
   */
  apply: (resource: T) => void;
  /** Removes the resource with this id from the list. */
  remove: (id: number) => void;
  close: () => void;
};

/** Opens a collection, and reports its changes through callbacks. */
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
 * Follows the user's orders. `statuses` limits the list to orders with these statuses, and is all statuses by default. The list
 * contains all open orders, and the newest 200 delivered and cancelled ones from the last 12 hours.
 */
export const liveOrders = (
  client: Client,
  { statuses, ...handlers }: LiveHandlers<Order> & { statuses?: readonly OrderStatus[] },
): Live<Order> => follow(client, statuses ? ordersWith(statuses) : orders, handlers);

/** Follows the menu, sorted by category and position. */
export const liveMenu = (client: Client, handlers: LiveHandlers<MenuItem>): Live<MenuItem> =>
  follow(client, menu, handlers);

/** Follows the bills that the user may read. The `bills` source describes which these are. */
export const liveBills = (client: Client, handlers: LiveHandlers<Bill>): Live<Bill> => follow(client, bills, handlers);
