import type { MenuItem } from '@comanda/contracts/menu';
import type { Order, OrderStatus } from '@comanda/contracts/orders';
import type { Feed } from '../feed/feed-types.ts';
import type { Change, ChangeSource, LiveListHandlers } from './list.ts';

export type LiveOrder = Order;
export type LiveItem = MenuItem;
type Resources = { order: LiveOrder; item: LiveItem };

export type LiveHandlers<K extends keyof Resources> = LiveListHandlers & {
  /**
   * Called with the whole list after every change, and with its differences from the last call. Alert a person about
   * these differences, not about events, not before `isComplete` (until then the list is being read), and not about the
   * response to an own call.
   */
  onChange: (all: readonly Resources[K][], changes: readonly Change<Resources[K]>[], source: ChangeSource) => void;
  /**
   * The device's stored list from an earlier visit: shown at once, even without a network, until the server's list has
   * been read.
   */
  known?: readonly Resources[K][];
} & (K extends 'order'
    ? {
        /**
         * Limits the list to orders with one of these statuses; by default it has all. Of delivered and cancelled
         * orders, it has the newest 200 of the last 12 hours.
         */ statuses?: readonly OrderStatus[];
      }
    : unknown);

export type Live<K extends keyof Resources> = {
  all: () => readonly Resources[K][];
  feed: Feed;
  /**
   * Whether the whole list was read since the last gap and the last sign-in, whether or not the feed was live. Until
   * then it may be incomplete, even if events have brought orders: do not show it as empty.
   */
  isRead: () => boolean;
  /**
   * Whether the list was read since the feed is live, the last gap and the last sign-in. Until then `all` shows the
   * last content of the list, including that from before the gap; it may be incomplete.
   */
  isComplete: () => boolean;
  /**
   * Applies the response to a call if it is newer than what the list has, and calls `onChange` at once. The change
   * shows before the feed brings it, and even if the feed does not.
   */
  apply: (resource: Resources[K]) => void;
  /** Removes a resource that an own call has deleted. */
  remove: (id: number) => void;
  close: () => void;
};
