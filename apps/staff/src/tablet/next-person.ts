import type { Client } from '@comanda/client/core';
import { writeKeptOrders } from '../device/kept-orders.ts';
import { isShiftOf, writeShift } from '../device/shift.ts';

const key = 'comanda.kitchen.shift-goes-on';

/** Signs out for the next person. The shift continues with them, so the board opens without a tap. */
export async function makeRoom(client: Client): Promise<void> {
  const who = client.who();
  if (!who) return;
  try {
    if (isShiftOf(who.userId)) sessionStorage.setItem(key, 'yes');
  } catch {
    // Without storage, the next person must start the shift again.
  }
  writeShift(null);
  writeKeptOrders(who.userId, null);
  await client.signOut();
}

/** Lets this user continue the shift that the last person left, if there is one. */
export function takeShift(userId: number): void {
  try {
    if (sessionStorage.getItem(key) !== null) writeShift(userId);
    sessionStorage.removeItem(key);
  } catch {
    // Without storage, this user must start the shift again.
  }
}
