import type { Client } from '@comanda/client/core';
import { writeKeptOrders } from '../device/kept-orders.ts';
import { isShiftOf, writeShift } from '../device/shift.ts';
import { onDevice } from '../on-device.ts';

/** Signs out for the next person. The shift continues with them, so the board opens without a tap. */
export async function makeRoom(client: Client): Promise<void> {
  const who = client.who();
  if (!who) return;
  if (isShiftOf(who.userId)) onDevice.shiftContinues.write('yes');
  writeShift(null);
  writeKeptOrders(who.userId, null);
  await client.signOut();
}

/** Lets this user continue the shift that the last person left, if there is one. */
export function takeShift(userId: number): void {
  if (onDevice.shiftContinues.get() === 'yes') writeShift(userId);
  onDevice.shiftContinues.write(null);
}
