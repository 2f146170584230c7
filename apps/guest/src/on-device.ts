import type { LiveItem } from '@comanda/client/core';
import type { Restaurant } from '@comanda/contracts/restaurant';
import {
  deviceEntry,
  isAbsentOr,
  isList,
  isNullOr,
  isNumber,
  isObject,
  isObjectOf,
  isOneOf,
  isText,
} from '@comanda/ui/device-entry.ts';
import { isUnsent } from '@comanda/ui/unsent-entry.ts';
import type { BasketContent } from './order/basket.ts';

/** This phone's table. For a seated guest, the session contains the table and the seating too. */
export type StoredSeat = {
  table: string;
  /** When the code was scanned, in milliseconds, by this device's clock. */ at: number;
  /** The scanned code. With it, a guest who signs in can keep the seat. Absent if an earlier release stored the seat. */
  token?: string;
  /** The ids of the guests who have used this phone at the table. Orders belong to the guest who placed them. */
  guests?: readonly number[];
};
/** The ids of the guests who used this phone at a table that was closed. */
type LeftSeat = Pick<StoredSeat, 'at'> & Required<Pick<StoredSeat, 'guests'>>;
/** `of` identifies the seating that the basket is for. */
type StoredBasket = BasketContent & { of: string; savedAt: number };
/** The menu that this phone loaded last, and when, in milliseconds by the server's clock. */
type StoredMenu = { atMs: number; dishes: readonly LiveItem[] };
/** What guests see of the restaurant on each page. */
export type Identity = Pick<Required<Restaurant>, 'name' | 'logo' | 'accent'>;

/**
 * What this app stores on the phone, beside the entries of `@comanda/ui/on-device.ts` and the client's session. Values of earlier
 * releases remain readable: change no name, and only add optional properties.
 */
export const onDevice = {
  seat: deviceEntry<StoredSeat | null>(
    'seat',
    isObjectOf<StoredSeat>({
      table: isText,
      at: isNumber,
      token: isAbsentOr<string>(isText),
      guests: isAbsentOr<readonly number[]>(isList),
    }),
    null,
  ),
  leftSeat: deviceEntry<LeftSeat | null>('seat-left', isObjectOf<LeftSeat>({ guests: isList, at: isNumber }), null),
  menu: deviceEntry<StoredMenu | null>('menu', isObjectOf<StoredMenu>({ atMs: isNumber, dishes: isList }), null),
  /** The allergens that the guest avoids, separated by commas. */
  avoided: deviceEntry('avoided', isText, ''),
  restaurant: deviceEntry<Identity>(
    'restaurant',
    isObjectOf<Identity>({ name: isText, logo: isNullOr(isText), accent: isNullOr(isText) }),
    { name: '', logo: null, accent: null },
  ),
  basket: deviceEntry<StoredBasket | null>(
    'basket',
    isObjectOf<StoredBasket>({ lines: isList, allergies: isNullOr(isText), of: isText, savedAt: isNumber }),
    null,
  ),
  unsent: deviceEntry('unsent', isUnsent, []),
  /** The unsent order of release 1.0.0. */
  outgoing: deviceEntry<object | null>('outgoing', isObject, null),
  /** Whether the bell rings for ready dishes. */
  sound: deviceEntry('sound', isOneOf('on', 'off'), 'on'),
};
