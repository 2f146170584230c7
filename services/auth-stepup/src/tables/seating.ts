import type { Admission, SeatingOpener, Table } from './table.ts';

// Changes of a table, without I/O. Times are in milliseconds since the epoch.

type NewSeating = { seating: number; openedBy: SeatingOpener; now: number };

/** The table after guests sit down, or after staff open a seating that a guest has started. */
export const opened = (table: Table, { seating, openedBy, now }: NewSeating): Table => ({
  ...table,
  seating,
  seatingOpenedBy: openedBy,
  seatedAt: table.seatedAt ?? now,
  needsCleaning: false,
  version: table.version + 1,
});

/** The table after its guests have left. */
export const left = (table: Table, { needsCleaning }: { needsCleaning: boolean }): Table => ({
  ...table,
  seating: null,
  seatingOpenedBy: null,
  seatedAt: null,
  needsCleaning,
  admits: [],
  version: table.version + 1,
});

/** `to` with the guests of `from`, including everyone admitted there. */
export const movedTo = (to: Table, from: Table): Table => ({
  ...to,
  seating: from.seating,
  seatingOpenedBy: from.seatingOpenedBy,
  seatedAt: from.seatedAt,
  needsCleaning: false,
  admits: guestsOf(from),
  version: to.version + 1,
});

/** `table` with the seating of `to`. Its guests stay, in that seating. */
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
