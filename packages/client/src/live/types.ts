import type { MenuItem } from '@comanda/contracts/menu';
import type { Order, OrderStatus } from '@comanda/contracts/order';
import type { Feed } from '../feed/feed-types.ts';
import type { Change, ChangeSource, LiveListHandlers } from './list.ts';

export type LiveOrder = Order;
export type LiveItem = MenuItem;
type Resources = { order: LiveOrder; item: LiveItem };

export type LiveHandlers<K extends keyof Resources> = LiveListHandlers & {
  /**
   * Called with the whole list after every change, and with the differences from the previous call. To alert a person, use these
   * differences, not events. Do not alert before `isComplete` (until then the list is being fetched) or about the response to the
   * user's own call.
   */
  onChange: (all: readonly Resources[K][], changes: readonly Change<Resources[K]>[], source: ChangeSource) => void;
  /**
   * The list stored on the device from an earlier visit. It is shown immediately, even without a network, until the server's list
   * has been fetched.
   */
  known?: readonly Resources[K][];
} & (K extends 'order'
    ? {
        /**
         * Limits the list to orders with one of these statuses; by default all statuses. The list contains only the newest 200
         * delivered and cancelled orders from the last 12 hours.
         */ statuses?: readonly OrderStatus[];
      }
    : unknown);

export type Live<K extends keyof Resources> = {
  all: () => readonly Resources[K][];
  feed: Feed;
  /**
   * Returns true if the whole list was fetched since the last gap and the last sign-in, even if the feed was not live. Until then
   * the list may be incomplete, even if events have brought orders: do not show it as empty.
   */
  isRead: () => boolean;
  /**
   * Returns true if the list was fetched since the feed became live, the last gap and the last sign-in. Until then `all` returns
   * the list's last content, even from before the gap, which may be incomplete.
   */
  isComplete: () => boolean;
  /**
   * Applies the response to a call if it is newer than the list's version, and calls `onChange` immediately. The change shows
   * before the feed brings it, and even if the feed does not.
   */
  apply: (resource: Resources[K]) => void;
  /** Removes a resource that the user's own call has deleted. */
  remove: (id: number) => void;
  close: () => void;
};
