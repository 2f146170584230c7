import type { Who } from '@comanda/client/core';
import { hasKeys, stored, type Stored } from '@comanda/ui/stored-setting.ts';
import { signal } from '@preact/signals';

/** The place of this phone. A seated guest's table and seating are in the session too. */
type StoredSeat = {
  table: string;
  /** When the code was scanned, by this device's clock. */ at: number;
  /** The code, with which a guest who signs in keeps the seat. Absent if an earlier release stored the seat. */
  token?: string;
  /** The guests that this phone has been at this table, because orders belong to the guest who placed them. */
  guests?: readonly number[];
};
/** The guests that this phone was at a table that has been closed. */
type LeftSeat = Pick<StoredSeat, 'at'> & Required<Pick<StoredSeat, 'guests'>>;
/** A customer stays signed in for weeks, but doesn't stay at a table that long. */
const seatForMs = 4 * 3600 * 1000;
const storedSeat = stored<StoredSeat | null>('seat', hasKeys<StoredSeat>('table', 'at'), null);
const storedLeft = stored<LeftSeat | null>('seat-left', hasKeys<LeftSeat>('guests', 'at'), null);

function readStored<S extends { at: number }>({ get, write }: Stored<S | null>): S | null {
  const seat = get();
  if (seat === null || Date.now() - seat.at < seatForMs) return seat;
  write(null);
  return null;
}

export type KeptSeat = ReturnType<typeof openKeptSeat>;

/** The seat that is stored on this device. */
export function openKeptSeat() {
  const seat = signal<StoredSeat | null>(readStored(storedSeat));
  /** The guests that this phone was at the table it has left. That table's bill stays in view, even after a reload. */
  const left = signal<readonly number[]>(readStored(storedLeft)?.guests ?? []);
  function storeLeft(guests: readonly number[]): void {
    left.value = guests;
    storedLeft.write(guests.length === 0 ? null : { guests, at: Date.now() });
  }
  function storeSeat(next: StoredSeat | null): void {
    seat.value = next;
    storedSeat.write(next);
  }
  /** Staff may have moved the guest to another table, so the scanned code may not match the seat. */
  function noteGuest({ userId, table: guestTable }: Who): void {
    const current = seat.value;
    if (!current || guestTable === undefined) return;
    const { token, at, guests = [] } = current;
    const isCodeOfSeat = guestTable === current.table && token !== undefined;
    storeSeat({ table: guestTable, at, guests: [...guests, userId], ...(isCodeOfSeat && { token }) });
  }
  return {
    seat,
    storeSeat,
    /** The seat may have ended after a while, or in another tab. */
    readAgain: (): void => {
      seat.value = readStored(storedSeat);
    },
    noteGuest,
    left,
    /**
     * Until the tokens are renewed, a customer's tokens contain the seat. A reloaded page is then notified of its end once more.
     */
    noteLeft: (own: Who | null): void => {
      const guests = [...left.peek(), ...(seat.peek()?.guests ?? []), ...(own ? [own.userId] : [])];
      storeLeft([...new Set(guests)]);
      storeSeat(null);
    },
    forgetLeft: (): void => storeLeft([]),
  };
}
