import type { MenuItem } from '@comanda/contracts/menu';
import type { Order, OrderStatus } from '@comanda/contracts/orders';
import type { Feed } from './feed.ts';
import type { LiveListHandlers } from './live-list.ts';

export type LiveOrder = Order;
export type LiveItem = MenuItem;
type Resources = { order: LiveOrder; item: LiveItem };

export type LiveHandlers<K extends keyof Resources> = LiveListHandlers & {
  /** Called with the whole list after every change. */
  onChange: (all: readonly Resources[K][]) => void;
} & (K extends 'order'
    ? { /** Only orders with one of these; all by default. */ statuses?: readonly OrderStatus[] }
    : unknown);

export type Live<K extends keyof Resources> = {
  all: () => readonly Resources[K][];
  feed: Feed;
  /** Whether the list has been read since the last gap. Until then `all` may lack some. */
  isComplete: () => boolean;
  close: () => void;
};
