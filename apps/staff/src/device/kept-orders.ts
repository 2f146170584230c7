import { onDevice, type KeptOrders } from '../on-device.ts';

/** How long stored orders are used, in milliseconds. Older ones belong to another day. */
const keptForMs = 12 * 3_600_000;

/**
 * Returns the server's time in milliseconds. Until the client knows it, `known` is this device's time, which is corrected by the
 * stored offset.
 */
export function serverTime({ offsetMs }: KeptOrders, known: number): number {
  const device = Date.now();
  return Math.abs(known - device) > 1_000 ? known : device + offsetMs;
}

/** Returns the orders that this device has stored for this user; null if there are none from today. */
export function readKeptOrders(userId: number, known: number): KeptOrders | null {
  const kept = onDevice.orders(userId).get();
  return kept && serverTime(kept, known) - kept.atMs < keptForMs ? kept : null;
}
export const writeKeptOrders = (userId: number, kept: KeptOrders | null): void => onDevice.orders(userId).write(kept);
