import type { Client } from '@comanda/client/core';
import { writeKeptOrders } from '../device/kept-orders.ts';
import { isShiftOf, writeShift } from '../device/shift.ts';
import { onDeviceLater } from '../on-device-later.ts';

/** Signs out for the next person. The shift continues with them, so the board opens without a tap. */
export async function makeRoom(client: Client): Promise<void> {
  const who = client.who();
  if (!who) return;
  if (isShiftOf(who.userId)) onDeviceLater.shiftContinues.write('yes');
  writeShift(null);
  writeKeptOrders(who.userId, null);
  await client.signOut();
}

/** Lets this user continue the shift that the last person left, if there is one. */
export function takeShift(userId: number): void {
  if (onDeviceLater.shiftContinues.get() === 'yes') writeShift(userId);
  onDeviceLater.shiftContinues.write(null);
}
