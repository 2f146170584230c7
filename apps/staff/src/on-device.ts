import type { LiveOrder } from '@comanda/client/core';
import type { Station } from '@comanda/contracts/stations';
import {
  deviceEntry,
  isList,
  isListOf,
  isNumber,
  isObject,
  isObjectOf,
  isOneOf,
  isText,
  tabEntry,
  type Entry,
} from '@comanda/ui/device-entry.ts';
import { isUnsent, type UnsentEntry } from '@comanda/ui/unsent-entry.ts';
import type { BoardNotice } from './board/board-notice.ts';
import type { CategoryLimits } from './bumps/station-rules.ts';
import { allStations } from './bumps/all-stations.ts';
import type { Action } from './device/keys.ts';
import type { ChosenSize } from './device/settings.ts';

/** The stored data of a registered tablet. The credential alone can't sign anyone in. */
export type KeptTablet = { credential: string; name: string };
/**
 * The orders that a screen showed when it was last live, when that was, and how far the server's clock was ahead of the device's,
 * in milliseconds. A screen that opens without a network has only its own clock, which may be hours off.
 */
export type KeptOrders = { atMs: number; offsetMs: number; orders: readonly LiveOrder[] };

type EarlierWork = 'kitchen.bumps' | 'kitchen.reads' | `waiter.${'served' | 'orders' | 'payments' | 'moved-bills'}`;

const isStation = isObjectOf<Pick<Station, 'station' | 'bumps' | 'amber_minutes'>>({
  station: isText,
  bumps: isNumber,
  amber_minutes: isNumber,
});

/**
 * What this app stores on the device and in the tab, beside the entries of `@comanda/ui/on-device.ts` and the client's session.
 * Values of earlier releases remain readable: change no name, and only add optional properties.
 */
export const onDevice = {
  /** The screen that opens if the address names none; null before the first. */
  screen: deviceEntry<string | null>('kitchen.screen', isText, null),
  managersScreen: deviceEntry<string | null>('kitchen.managers-screen', isText, null),
  /** The device's name in reports of seen orders; null before the first. */
  name: deviceEntry<string | null>('kitchen.device', isText, null),
  /** The notifier's URL, as the server last sent it; empty if it has none. */
  notifierUrl: deviceEntry('kitchen.notifier', isText, ''),
  /** This device's registration as a tablet; null if no manager has registered it. */
  tablet: deviceEntry<KeptTablet | null>(
    'kitchen.tablet',
    isObjectOf<KeptTablet>({ credential: isText, name: isText }),
    null,
  ),

  station: deviceEntry('kitchen.station', isText, allStations),
  /** The number of the board's columns; null to use as many as fit well. */
  columns: deviceEntry<number | null>(
    'kitchen.columns',
    (value): value is number => isNumber(value) && Number.isInteger(value) && value >= 2 && value <= 6,
    null,
  ),
  size: deviceEntry<ChosenSize>('kitchen.size', isOneOf('auto', 'large', 'dense'), 'auto'),
  /** How many taps a ticket takes; null before the first shift. */
  taps: deviceEntry<2 | 3 | null>('kitchen.taps', (value): value is 2 | 3 => value === 2 || value === 3, null),
  /** Whether all tickets stay whole. */
  whole: deviceEntry<'yes' | 'no'>('kitchen.whole', isOneOf('yes', 'no'), 'no'),
  mutedUntilMs: deviceEntry<number | null>('kitchen.muted-until', isNumber, null),
  /** The actions that staff have taught, by key name. */
  keys: deviceEntry<Readonly<Record<string, Action>>>('kitchen.keys', isObject, {}),
  stations: deviceEntry<readonly Station[]>(
    'kitchen.stations',
    isListOf((value): value is Station => isStation(value)),
    [],
  ),
  categoryLimits: deviceEntry<CategoryLimits>(
    'kitchen.category-limits',
    isObjectOf<CategoryLimits>({ limits: isList, categoryOf: isObject }),
    { limits: [], categoryOf: {} },
  ),
  orders: (userId: number) =>
    deviceEntry<KeptOrders | null>(
      `kitchen.orders.${userId}`,
      isObjectOf<KeptOrders>({ atMs: isNumber, offsetMs: isNumber, orders: isList }),
      null,
    ),
  /** The id of the user who has started a shift in this tab. */
  shift: tabEntry<number | null>('kitchen.shift', isNumber, null),
  notice: tabEntry<{ userId: number; notice: BoardNotice } | null>(
    'kitchen.notice',
    isObjectOf<{ userId: number; notice: BoardNotice }>({ userId: isNumber, notice: isObject }),
    null,
  ),

  /** Actions that the server has not accepted yet. They belong to a user, so no other user's session sends them. */
  unsent: (userId: number): UnsentEntry => deviceEntry(`staff.unsent.${userId}`, isUnsent, []),
  /** A kind of unsent work that release 1.0.0 stored. */
  earlierWork: (kind: EarlierWork, userId: number): Entry<object | null> =>
    deviceEntry<object | null>(`${kind}.${userId}`, isObject, null),
};
