import type { Order, OrderStatus } from '@comanda/contracts/order';
import { textKey } from '@comanda/contracts/text-key';
import { isCancelledWith, statusOf } from '@comanda/contracts/transitions';
import { orderStation } from '@comanda/contracts/order-stations';
import type { LiveOrder } from '@comanda/client/core';
import { allStations, expediter } from './all-stations.ts';

/** The age at which a ticket's header turns amber, and at which the ticket is late, in milliseconds. */
export type AgeLimits = { amberMs: number; lateMs: number };

export type OrderItem = Order['items'][number];
export type Age = 'fresh' | 'amber' | 'late';

/** One station's part of one order. */
export type Ticket = {
  /** The order's id. */
  id: number;
  /** The ticket's number on this business day, which people use. */
  number: number;
  version: number;
  table: string | null;
  guest: string;
  allergies: string | null;
  createdAtMs: number;
  /** True if the dishes came from another order, so that the kitchen knows them already. */
  isMovedPart: boolean;
  /** True if this station has shown the ticket; on a board for all stations, if all of them have. */
  seen: boolean;
  status: OrderStatus;
  items: readonly OrderItem[];
  /** The components of the ticket's combos that other stations cook. */
  elsewhere: readonly OrderItem[];
  /** Why a dish is cooked again; null if the ticket is no remake. */
  remake: string | null;
  /** The items, at any station, that are cancelled together with the order. */
  cancelledWithOrder: readonly OrderItem[];
  /** True if other stations cook other items in the order. */
  shared: boolean;
};

/** Returns the key for comparing stations: two spellings of the same name have the same key. */
export const stationKey = (station: string): string => (station === expediter ? station : textKey(station));

/** Returns true if a board shows the dishes of all stations. */
export const isForAll = (station: string): boolean => station === allStations || station === expediter;

/**
 * Returns the stations for which a board reports an order as seen and its allergies as read; undefined for all, which is all that
 * the last release knows. An expediter only hands out food: that its screen shows an order doesn't mean that the kitchen has seen
 * it.
 */
export function reportedStations(order: Pick<LiveOrder, 'stations'>, station: string): readonly string[] | undefined {
  if (!order.stations || station === allStations) return undefined;
  return station === expediter ? [] : [station];
}

/** Returns the station's part of the order; null if the station cooks nothing of it. */
export function ticketOf(order: Omit<LiveOrder, 'allowed_transitions'>, station: string): Ticket | null {
  const key = stationKey(station);
  const own = isForAll(station) ? order.items : order.items.filter((item) => stationKey(item.station) === key);
  if (own.length === 0) return null;
  const items = withPartsInPlace(own);
  return {
    id: order.id,
    number: order.ticket,
    version: order.version,
    table: order.table,
    guest: order.placed_by.name,
    allergies: order.allergies,
    createdAtMs: Date.parse(order.created_at),
    isMovedPart: typeof order.split_from === 'number',
    seen: (isForAll(station) ? order : orderStation(order, station)).seen_at !== null,
    status: statusOf(items),
    items,
    elsewhere: order.items.filter(({ id, part_of: combo }) => hasId(items, combo) && !hasId(items, id)),
    remake: items.find(({ remake }) => remake)?.remake?.reason ?? null,
    cancelledWithOrder: order.items.filter((item) => isCancelledWith(order, item)),
    shared: items.length < order.items.length,
  };
}

const hasId = (items: readonly OrderItem[], wanted: number | null | undefined): boolean =>
  items.some(({ id }) => id === wanted);

/** Moves each part that was cancelled from its place at the end to the dish that it was a part of. */
function withPartsInPlace(items: readonly OrderItem[]): readonly OrderItem[] {
  const off = items.filter(({ status, split_from: from }) => status === 'cancelled' && hasId(items, from));
  if (off.length === 0) return items;
  return items.flatMap((item) =>
    off.includes(item) ? [] : [item, ...off.filter(({ split_from: from }) => from === item.id)],
  );
}

/**
 * Returns the header's colour for the ticket's age. `now` is the server's time, so that a tablet with a wrong clock shows the
 * right age.
 */
export function ageOf({ createdAtMs }: Ticket, now: number, limits: AgeLimits): Age {
  const ageMs = now - createdAtMs;
  if (ageMs >= limits.lateMs) return 'late';
  return ageMs >= limits.amberMs ? 'amber' : 'fresh';
}

/** Formats an age, for example as `7:48`; from one hour on as `1h07`, which has the same width. */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  const two = (number: number): string => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}h${two(minutes)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Returns the dish's name as the kitchen reads it. */
export const kitchenName = ({ kitchen_name: short, name }: Pick<OrderItem, 'kitchen_name' | 'name'>): string =>
  short ?? name;

/** Returns `2 Feijoada`, or `Feijoada`, without a line break inside. */
export const dishText = ({ quantity, name }: Pick<OrderItem, 'quantity' | 'name'>): string =>
  quantity > 1 ? `${quantity}\u00A0${name}` : name;

/** The same as the kitchen reads it. */
export const kitchenText = (item: Pick<OrderItem, 'quantity' | 'kitchen_name' | 'name'>): string =>
  dishText({ ...item, name: kitchenName(item) });

const backSteps: Partial<Record<OrderStatus, OrderStatus>> = {
  preparing: 'received',
  ready: 'preparing',
  delivered: 'ready',
};

/** Returns the status that a step back moves to; null if there is none. */
export const previousStatus = (status: OrderStatus): OrderStatus | null => backSteps[status] ?? null;
