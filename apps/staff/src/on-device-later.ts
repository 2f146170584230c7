import {
  deviceEntry,
  isAbsentOr,
  isList,
  isListOf,
  isNullOr,
  isNumber,
  isObject,
  isObjectOf,
  isOneOf,
  isText,
  tabEntry,
  type Check,
} from '@comanda/ui/device-entry.ts';
import type { ChosenDrawer } from './cash/use-cash-drawers.ts';
import type { CountDraft } from './cash/drafts.ts';
import type { LeaveDraft, MovementDraft, ReversalDraft } from './manager/cash/drafts.ts';
import type { PixReservation } from './manager/pix/reservation.ts';
import type { Draft } from './waiter/draft.ts';

const isRecordOf =
  <T>(check: Check<T>): Check<Readonly<Record<string, T>>> =>
  (value): value is Record<string, T> =>
    isObject<Record<string, unknown>>(value) && Object.values(value).every(check);

export const emptyDraft: Draft = { table: null, lines: [], allergies: '' };

/** The rest of `onDevice`: what pages store that are loaded after the first screen. */
export const onDeviceLater = {
  /** The ids of the dishes that were printed, separated by commas. */
  printed: deviceEntry('kitchen.printed', isText, ''),
  /** Whether the next person continues the shift in this tab. */
  shiftContinues: tabEntry<'yes' | null>('kitchen.shift-goes-on', isOneOf('yes'), null),
  draft: (userId: number) =>
    deviceEntry<Draft>(
      `waiter.draft.${userId}`,
      isObjectOf<Draft>({
        table: isNullOr(isText),
        lines: isList,
        allergies: isText,
        begunAtMs: isAbsentOr<number>(isNumber),
        seating: isAbsentOr<number | null>(isNullOr(isNumber)),
      }),
      emptyDraft,
    ),
  tablesSort: deviceEntry('waiter.tables-sort', isOneOf('number', 'need'), 'number'),
  /** The ids of the dishes that this user has ordered last, the latest first. */
  recentDishes: (userId: number) =>
    deviceEntry<readonly number[]>(`waiter.recent-dishes.${userId}`, isListOf(isNumber), []),
  /** Whether the printed table cards say how guests connect to the Wi-Fi. */
  printsWifi: deviceEntry('manager.print-wifi', isOneOf('yes', 'no'), 'yes'),
  /** Whether table cards were printed on this device. */
  hasPrinted: deviceEntry('manager.has-printed', isOneOf('yes', 'no'), 'no'),
  /** `hidden` once everything is done, or if a manager has hidden the list. */
  openingList: deviceEntry('manager.opening-list', isOneOf('shown', 'hidden'), 'shown'),
  /** The cash drawer into which this device's users put cash; null for the main one. */
  cashDrawer: deviceEntry<ChosenDrawer | null>(
    'waiter.cash-drawer',
    isObjectOf<ChosenDrawer>({ name: isText, label: isText }),
    null,
  ),
  /** What is typed for counts that are not saved yet, by person and cash drawer. */
  counts: tabEntry<Readonly<Record<string, CountDraft>>>(
    'manager.counts',
    isRecordOf(isObjectOf<CountDraft>({ total: isText, pieces: isObject, key: isText })),
    {},
  ),
  /** What is typed for cash that no bill explains, by person and cash drawer. */
  movements: tabEntry<Readonly<Record<string, MovementDraft>>>(
    'manager.movements',
    isRecordOf(
      isObjectOf<MovementDraft>({
        kind: isOneOf('float', 'pay_in', 'pay_out', 'drop', 'tip_out'),
        amount: isText,
        reason: isText,
        other: isText,
        key: isText,
      }),
    ),
    {},
  ),
  /** What a manager has typed for what stays after a count, by cash drawer. */
  leaves: tabEntry<Readonly<Record<string, LeaveDraft>>>(
    'manager.leaves',
    isRecordOf(isObjectOf<LeaveDraft>({ count: isNumber, left: isText, to: isText })),
    {},
  ),
  /** Why movements are reversed, by person and the movement's id. */
  reversals: tabEntry<Readonly<Record<string, ReversalDraft | null>>>(
    'manager.reversals',
    isRecordOf(isNullOr(isObjectOf<ReversalDraft>({ reason: isText, key: isText }))),
    {},
  ),
  /** Parts of bills that may be reserved for Pix, by person and the Pix's end-to-end id. */
  pixReservations: tabEntry<Readonly<Record<string, PixReservation | null>>>(
    'manager.pix-reservations',
    isRecordOf(
      isNullOr(
        isObjectOf<PixReservation>({
          input: isObject,
          key: isText,
          table: isNullOr(isText),
          paymentId: isNullOr(isNumber),
        }),
      ),
    ),
    {},
  ),
  /** The note that a manager has typed for the day's report. */
  closingNote: tabEntry('manager.closing-note', isText, ''),
};
