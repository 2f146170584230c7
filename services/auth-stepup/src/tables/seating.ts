import type { Admission, SeatingOpener, Table } from './table.ts';

// Changes to a table, without I/O. Times are in milliseconds since the epoch.

type NewSeating = { seating: number; openedBy: SeatingOpener; now: number };

/** Returns the table after guests have sat down, or after staff have opened a seating that a guest started. */
export const opened = (table: Table, { seating, openedBy, now }: NewSeating): Table => ({
  ...table,
  seating,
  seatingOpenedBy: openedBy,
  seatedAt: table.seatedAt ?? now,
  needsCleaning: false,
  version: table.version + 1,
});

/** Returns the table after its guests have left. */
export const left = (table: Table, { needsCleaning }: { needsCleaning: boolean }): Table => ({
  ...table,
  seating: null,
  seatingOpenedBy: null,
  seatedAt: null,
  needsCleaning,
  admits: [],
  version: table.version + 1,
});

/**
 * Returns the table `to` after the guests of `from` have moved there, including those who had come to `from` from another table.
 */
export const movedTo = (to: Table, from: Table): Table => ({
  ...to,
  seating: from.seating,
  seatingOpenedBy: from.seatingOpenedBy,
  seatedAt: from.seatedAt,
  needsCleaning: false,
  admits: guestsOf(from),
  version: to.version + 1,
});

/** Returns `table` with the seating of `to`. The table's guests stay, as part of that seating. */
export const joinedWith = (table: Table, to: Table): Table => ({
  ...table,
  seating: to.seating,
  seatingOpenedBy: to.seatingOpenedBy,
  seatedAt: table.seatedAt ?? to.seatedAt,
  needsCleaning: false,
  admits: guestsOf(table),
  version: table.version + 1,
});

const guestsOf = ({ seating, tokenNonce, admits }: Table): Admission[] =>
  seating === null ? [] : [...admits, { seating, tokenNonce }];
