import type { Admission, SeatingOpener, Table } from './table.ts';

// How a table changes. No I/O; times are milliseconds since the epoch.

type NewSeating = { seating: number; openedBy: SeatingOpener; now: number };

/** A table whose guests sit down, or whose seating is opened by staff after a guest has begun it. */
export const opened = (table: Table, { seating, openedBy, now }: NewSeating): Table => ({
  ...table,
  seating,
  seatingOpenedBy: openedBy,
  seatedAt: table.seatedAt ?? now,
  needsCleaning: false,
  version: table.version + 1,
});

/** A table that its guests have left. */
export const left = (table: Table, { needsCleaning }: { needsCleaning: boolean }): Table => ({
  ...table,
  seating: null,
  seatingOpenedBy: null,
  seatedAt: null,
  needsCleaning,
  admits: [],
  version: table.version + 1,
});

/** `to` with the guests of `from`, whoever was admitted there. */
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
