import type { Order, OrderStatus } from '@comanda/contracts/order';
import { textKey } from '@comanda/contracts/text-key';
import { isCancelledWith, statusOf } from '@comanda/contracts/transitions';
import { orderStation } from '@comanda/contracts/order-stations';
import type { LiveOrder } from '@comanda/client';

/** How old a ticket may become before its header turns amber, and before it is late, in milliseconds. */
export type AgeLimits = { amberMs: number; lateMs: number };

export type OrderItem = Order['items'][number];
export type Age = 'fresh' | 'amber' | 'late';

/** What one station cooks of one order. */
export type Ticket = {
  /** The order's id. */
  id: number;
  /** The number that people say. */
  number: number;
  version: number;
  table: string | null;
  guest: string;
  allergies: string | null;
  createdAtMs: number;
  /** Whether this station has shown it; of a board of all, whether all have. */
  seen: boolean;
  status: OrderStatus;
  items: readonly OrderItem[];
  /** Of all stations: what is cancelled with the whole order. */
  cancelledWithOrder: readonly OrderItem[];
  /** Whether other stations cook other items of the order. */
  shared: boolean;
};

/** Every station. */
export const allStations = '*';
/** Sees the orders of all stations, and hands out what they have finished. No station is called so: a name is a line of text. */
export const expediter = '\texpediter';

/** What is compared of a chosen station. */
export const stationKey = (station: string): string => (station === expediter ? station : textKey(station));

/** Whether a board shows the dishes of all stations. */
export const isForAll = (station: string): boolean => station === allStations || station === expediter;

/**
 * The stations for which a board of `station` shows and reads an order; undefined: all of them. A service of the last release
 * knows only that. An expediter hands out, and cooks nothing: the kitchen may not know of an order that stands there.
 */
export function reportedStations(order: Pick<LiveOrder, 'stations'>, station: string): readonly string[] | undefined {
  if (!order.stations || station === allStations) return undefined;
  return station === expediter ? [] : [station];
}

/** Returns null if the station cooks nothing of this order. */
export function ticketOf(order: Omit<LiveOrder, 'allowed_transitions'>, station: string): Ticket | null {
  const key = stationKey(station);
  const items = isForAll(station) ? order.items : order.items.filter((item) => stationKey(item.station) === key);
  if (items.length === 0) return null;
  return {
    id: order.id,
    number: order.ticket,
    version: order.version,
    table: order.table,
    guest: order.placed_by.name,
    allergies: order.allergies,
    createdAtMs: Date.parse(order.created_at),
    seen: (isForAll(station) ? order : orderStation(order, station)).seen_at !== null,
    status: statusOf(items),
    items,
    cancelledWithOrder: order.items.filter((item) => isCancelledWith(order, item)),
    shared: items.length < order.items.length,
  };
}

/** The colour of the header. `now` is the server's time, so that a tablet with a wrong clock shows the right age. */
export function ageOf({ createdAtMs }: Ticket, now: number, limits: AgeLimits): Age {
  const ageMs = now - createdAtMs;
  if (ageMs >= limits.lateMs) return 'late';
  return ageMs >= limits.amberMs ? 'amber' : 'fresh';
}

/** `7:48`, and from one hour on `1h07`, which is as wide. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  const two = (number: number): string => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}h${two(minutes)}` : `${minutes}:${two(seconds % 60)}`;
}

/** `2 Feijoada`, or `Feijoada`. No line ends between the two. */
export const dishText = ({ quantity, name }: Pick<OrderItem, 'quantity' | 'name'>): string =>
  quantity > 1 ? `${quantity}\u00A0${name}` : name;

const backSteps: Partial<Record<OrderStatus, OrderStatus>> = {
  preparing: 'received',
  ready: 'preparing',
  delivered: 'ready',
};

/** The status that a step back moves to, or null if there is none. */
export const previousStatus = (status: OrderStatus): OrderStatus | null => backSteps[status] ?? null;
