import type { MenuItem } from '@comanda/contracts/menu';
import type { Order, OrderStatus } from '@comanda/contracts/orders';
import type { Feed } from '../feed/feed-types.ts';
import type { Change, ChangeSource, LiveListHandlers } from './list.ts';

export type LiveOrder = Order;
export type LiveItem = MenuItem;
type Resources = { order: LiveOrder; item: LiveItem };

export type LiveHandlers<K extends keyof Resources> = LiveListHandlers & {
  /**
   * Called with the whole list after every change, and with how it differs from the last call. Alert a person about these
   * differences, not about events, not before `isComplete` (until then the list is being read), and not about the answer to
   * an own call.
   */
  onChange: (all: readonly Resources[K][], changes: readonly Change<Resources[K]>[], source: ChangeSource) => void;
  /**
   * What the device has kept of the list from an earlier visit: shown at once, also without a network, until the server's
   * list has been read.
   */
  known?: readonly Resources[K][];
} & (K extends 'order'
    ? {
        /** Only orders with one of these; all by default. Of those that are delivered or cancelled, the newest 200 of the last 12 hours. */ statuses?: readonly OrderStatus[];
      }
    : unknown);

export type Live<K extends keyof Resources> = {
  all: () => readonly Resources[K][];
  feed: Feed;
  /**
   * Whether the whole list was read since the last gap and the last sign-in, whether or not the feed was live. Until then only
   * a part of it may be here, even if events have brought orders: an empty list may not be empty.
   */
  isRead: () => boolean;
  /**
   * Whether the list was read since the feed is live, the last gap and the last sign-in. Until then `all` shows what the
   * list had and what was there before the gap; it may lack some.
   */
  isComplete: () => boolean;
  /**
   * Lays the answer to a call over the list, if it is newer than what the list has, and calls `onChange` at once: the change
   * is shown before the feed brings it, and when it does not.
   */
  apply: (resource: Resources[K]) => void;
  /** Takes out what an own call has deleted. */
  remove: (id: number) => void;
  close: () => void;
};
