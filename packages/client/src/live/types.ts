import type { MenuItem } from '@comanda/contracts/menu';
import type { Order, OrderStatus } from '@comanda/contracts/order';
import type { Feed } from '../feed/feed-types.ts';
import type { Change, ChangeSource, LiveListHandlers } from './list.ts';

export type LiveOrder = Order;
export type LiveItem = MenuItem;
type Resources = { order: LiveOrder; item: LiveItem };

export type LiveHandlers<K extends keyof Resources> = LiveListHandlers & {
  /**
   * Called with the whole list after every change, and with the differences from the previous call. Use these differences to
   * alert a person, because events may repeat. Do not alert before `isComplete`, or about the user's own call.
   */
  onChange: (all: readonly Resources[K][], changes: readonly Change<Resources[K]>[], source: ChangeSource) => void;
  /**
   * The list that this device stored during an earlier visit. It is shown immediately, even offline, until the server's list has
   * been fetched.
   */
  known?: readonly Resources[K][];
} & (K extends 'order'
    ? {
        /**
         * Limits the list to orders with these statuses. By default, it has all statuses. Delivered and cancelled orders are
         * limited to the newest 200 from the last 12 hours.
         */ statuses?: readonly OrderStatus[];
      }
    : unknown);

export type Live<K extends keyof Resources> = {
  all: () => readonly Resources[K][];
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
   * Applies the response to a call if it is newer than the list's version, and calls `onChange` immediately. The user sees the
   * change without waiting for the feed.
   */
  apply: (resource: Resources[K]) => void;
  /** Removes a resource that the user's own call has deleted. */
  remove: (id: number) => void;
  close: () => void;
};
