import type { LiveOrder } from '@comanda/client/core';
import { hasKeys, stored, type Stored } from '@comanda/ui/stored-setting.ts';

/**
 * The orders that a screen showed when it was last live, when that was, and how far the server's clock was ahead of the device's,
 * in milliseconds. A screen that opens without a network has only its own clock, which may be hours off.
 */
export type KeptOrders = { atMs: number; offsetMs: number; orders: readonly LiveOrder[] };

/** How long stored orders are used, in milliseconds. Older ones belong to another day. */
const keptForMs = 12 * 3_600_000;

const storedOrders = (userId: number): Stored<KeptOrders | null> =>
  stored('kitchen.orders.' + userId, hasKeys<KeptOrders>('atMs', 'offsetMs', 'orders'), null as KeptOrders | null);

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
  const kept = storedOrders(userId).get();
  return kept && Array.isArray(kept.orders) && serverTime(kept, known) - kept.atMs < keptForMs ? kept : null;
}
export const writeKeptOrders = (userId: number, kept: KeptOrders | null): void => storedOrders(userId).write(kept);
