import type { LiveOrder } from '@comanda/client/core';
import { hasKeys, stored, type Stored } from '@comanda/ui/stored-setting.ts';

/**
 * The tickets that a screen had when it was last live, by the server's time, and how far that was ahead of this device's: a
 * screen that opens without a network has only its own clock, which may be hours wrong.
 */
export type KeptOrders = { atMs: number; offsetMs: number; orders: readonly LiveOrder[] };

/** What is older is of yesterday. */
const keptForMs = 12 * 3_600_000;

const storedOrders = (userId: number): Stored<KeptOrders | null> =>
  stored('kitchen.orders.' + userId, hasKeys<KeptOrders>('atMs', 'offsetMs', 'orders'), null as KeptOrders | null);

/** The server's time. Before the client has heard it (`known` is this device's), by how far the clocks were apart then. */
export function serverTime({ offsetMs }: KeptOrders, known: number): number {
  const device = Date.now();
  return Math.abs(known - device) > 1_000 ? known : device + offsetMs;
}

/** What this device kept for this user. Null if nothing, or nothing of today. */
export function readKeptOrders(userId: number, known: number): KeptOrders | null {
  const kept = storedOrders(userId).get();
  return kept && Array.isArray(kept.orders) && serverTime(kept, known) - kept.atMs < keptForMs ? kept : null;
}
export const writeKeptOrders = (userId: number, kept: KeptOrders | null): void => storedOrders(userId).write(kept);
