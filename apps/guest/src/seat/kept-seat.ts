import type { Who } from '@comanda/client/core';
import type { Entry } from '@comanda/ui/device-entry.ts';
import { signal } from '@preact/signals';
import { onDevice, type StoredSeat } from '../on-device.ts';

/** How long a stored seat is valid, in milliseconds. A customer stays signed in for weeks, but not at the same table. */
const seatForMs = 4 * 3600 * 1000;

function readStored<S extends { at: number }>({ get, write }: Entry<S | null>): S | null {
  const seat = get();
  if (seat === null || Date.now() - seat.at < seatForMs) return seat;
  write(null);
  return null;
}

export type KeptSeat = ReturnType<typeof openKeptSeat>;

/** The seat that is stored on this device. */
export function openKeptSeat() {
  const seat = signal<StoredSeat | null>(readStored(onDevice.seat));
  /** The ids of the guests who used this phone at the table that was left. Its bill stays readable, even after a reload. */
  const left = signal<readonly number[]>(readStored(onDevice.leftSeat)?.guests ?? []);
  function storeLeft(guests: readonly number[]): void {
    left.value = guests;
    onDevice.leftSeat.write(guests.length === 0 ? null : { guests, at: Date.now() });
  }
  function storeSeat(next: StoredSeat | null): void {
    seat.value = next;
    onDevice.seat.write(next);
  }
  /**
   * Stores this guest and their table. The scanned code is kept only if it belongs to that table, because staff may have moved
   * the guest.
   */
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
    /** Loads the seat from storage again, because it may have expired, or another tab may have changed it. */
    readAgain: (): void => {
      seat.value = readStored(onDevice.seat);
    },
    noteGuest,
    left,
    /**
     * Stores which guests have left. `own` is the signed-in customer, whose tokens contain the old seat until they are renewed.
     */
    noteLeft: (own: Who | null): void => {
      const guests = [...left.peek(), ...(seat.peek()?.guests ?? []), ...(own ? [own.userId] : [])];
      storeLeft([...new Set(guests)]);
      storeSeat(null);
    },
    forgetLeft: (): void => storeLeft([]),
  };
}
