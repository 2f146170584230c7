import type { MenuItem } from '@comanda/contracts/menu';
import type { Order, OrderStatus } from '@comanda/contracts/order';
import { menu } from './collections/menu.ts';
import { orders, ordersWith } from './collections/orders.ts';
import type { Feed } from './feed/feed-types.ts';
import type { CollectionOptions } from './live/collection.ts';
import type { OpenCollection } from './live/collections.ts';
import { createDrift } from './live/drift.ts';
import type { Change, ChangeSource } from './live/list.ts';
import type { Source } from './live/source.ts';

// Lists for programs that use callbacks instead of signals.

type Rows = { order: Order; item: MenuItem };

/** The handlers of a list with rows of this type. */
export type HandlersOf<T> = Omit<CollectionOptions<T>, 'drift'> & {
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
export type LiveHandlers<K extends keyof Rows> = HandlersOf<Rows[K]> &
  (K extends 'order'
    ? {
        /**
         * Limits the list to orders with these statuses. By default, it has all statuses. Delivered and cancelled orders are
         * limited to the newest 200 from the last 12 hours.
         */
        statuses?: readonly OrderStatus[];
      }
    : unknown);

/** A list with rows of this type. */
type ListOf<T> = {
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
   * Applies the response to a call if it is newer than the list's version, and calls `onChange` immediately. The user sees the
   * change without waiting for the feed.
   */
  apply: (resource: T) => void;
  /** Removes a resource that the user's own call has deleted. */
  remove: (id: number) => void;
  close: () => void;
};
export type Live<K extends keyof Rows> = ListOf<Rows[K]>;

type Collections = { collection: OpenCollection };

/** Opens a collection, and reports its changes through callbacks. */
export function follow<T>({ collection }: Collections, source: Source<T>, handlers: HandlersOf<T>) {
  const list = collection(withoutResponses(source), {
    ...handlers,
    // The handlers may be methods of a class.
    onEvent: (event) => handlers.onEvent?.(event),
    onStanding: (standing) => handlers.onStanding?.(standing),
    onState: (state) => handlers.onState?.(state),
    drift: createDrift((ids) => handlers.onDrift?.(ids.map(Number))),
  });
  list.onChange(({ changes, source: from }) => handlers.onChange(list.rows.peek(), changes, from));
  const { current, feed, load, apply, remove, close } = list;
  const isRead = (): boolean => ['loaded', 'complete'].includes(current.state());
  const isComplete = (): boolean => current.state() === 'complete';
  return { all: current.rows, feed, isRead, isComplete, load, apply, remove, close };
}

/** The source of a list that is loaded for users only, and to which the program itself applies the responses to its calls. */
function withoutResponses<T>(source: Source<T>): Source<T> {
  const own = { ...source };
  for (const each of ['name', 'isPublic', 'compareEveryMs', 'changedByCalls', 'removedByCalls'] as const)
    delete own[each];
  return own;
}

/** Follows orders, oldest first, each with the actions that the user may take. */
export function followLiveOrders(client: Collections, handlers: LiveHandlers<'order'>): Live<'order'> {
  const { statuses } = handlers;
  // Every list of orders is compared by the checksum of the open ones.
  return follow(client, { ...orders, ...(statuses && ordersWith(statuses)) }, handlers);
}

/** Follows the menu, sorted by category and position. */
export const followLiveMenu = (client: Collections, handlers: LiveHandlers<'item'>): Live<'item'> =>
  follow(client, menu, handlers);
