import type { Who } from '@comanda/client';
import { hasKeys, stored } from '@comanda/ui/stored-setting.ts';
import { signal } from '@preact/signals';

/** Where this phone is. The table and the seating of who sits there are in the session too. */
type StoredSeat = {
  table: string;
  /** When the code was scanned, by this device's clock. */ at: number;
  /** The code, with which a guest who signs in keeps the seat. Absent if an earlier release stored the seat. */
  token?: string;
  /** The guests that this phone was at this table: what they have ordered is its owner's. */
  guests?: readonly number[];
};
/** A customer stays signed in for weeks, but not at a table. */
const seatForMs = 4 * 3600 * 1000;
const storedSeat = stored<StoredSeat | null>('seat', hasKeys<StoredSeat>('table', 'at'), null);

function readStoredSeat(): StoredSeat | null {
  const seat = storedSeat.get();
  if (seat === null || Date.now() - seat.at < seatForMs) return seat;
  storedSeat.write(null);
  return null;
}

export type KeptSeat = ReturnType<typeof openKeptSeat>;

/** The seat that stays on this device. */
export function openKeptSeat() {
  const seat = signal<StoredSeat | null>(readStoredSeat());
  function storeSeat(next: StoredSeat | null): void {
    seat.value = next;
    storedSeat.write(next);
  }
  /** Staff may have moved the guest to another table: the code that was scanned is not that of the seat then. */
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
    /** After a while, or in another tab, it may be over. */
    readAgain: (): void => {
      seat.value = readStoredSeat();
    },
    noteGuest,
  };
}
