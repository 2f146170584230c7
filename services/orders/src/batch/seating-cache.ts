import type { OpenBill } from '../bills/bill-store.ts';
import type { BatchState } from './batch-state.ts';

/** The open bill of a seating that has not ended. */
export type CachedSeating = OpenBill & {
  seating: number;
  /** The number of items ever ordered at the seating, which is at least the number of open items; null if unknown. */
  itemsOrdered: number | null;
};
export type CachedSeatings = ReadonlyMap<number, CachedSeating>;
/** A seating after a batch; `open` is null if it has no open bill. */
export type SeatingAfter = { seating: number; open: CachedSeating | null };
export type SeatingCache = ReturnType<typeof createSeatingCache>;

/** A seating that a batch has loaded. If `isCounted`, only its open items were counted, not all items ever ordered there. */
export type LoadedSeating = { seating: number; isCounted: boolean };

type BatchDecided = {
  state: BatchState;
  loadedSeatings: readonly LoadedSeating[];
  /** The cached seatings before the batch; null if the cache was out of date. */
  cached: CachedSeatings | null;
};

/** Returns the seatings that the batch has loaded or changed, in their state after the batch. */
export function seatingsAfter({ state, loadedSeatings, cached }: BatchDecided): SeatingAfter[] {
  const { bills, changed, divided, openItems } = state;
  const itemsOrdered = new Map<number, number | null>(
    loadedSeatings.map(({ seating, isCounted }) => [seating, isCounted ? null : (openItems.get(seating) ?? 0)]),
  );
  for (const { bill } of bills.byId.values()) {
    const before = cached?.get(bill.seating ?? 0);
    if (before && !itemsOrdered.has(before.seating)) itemsOrdered.set(before.seating, before.itemsOrdered);
  }
  for (const { before, order } of changed)
    if (order.seating !== null && order.seating !== before.seating && itemsOrdered.has(order.seating))
      itemsOrdered.set(order.seating, null);

  for (const { moved } of divided)
    if (moved.order.seating !== null && itemsOrdered.has(moved.order.seating))
      itemsOrdered.set(moved.order.seating, null);

  return [...itemsOrdered].map(([seating, ordered]) => {
    const id = bills.openBySeating.get(seating) ?? 0;
    const version = bills.byId.get(id)?.bill.version ?? bills.appendOnly.get(id)?.version;
    return { seating, open: version === undefined ? null : { id, version, seating, itemsOrdered: ordered } };
  });
}

const maxSeatings = 10_000;
type SeatingsLeft = { batchId: string; seatings: readonly SeatingAfter[]; wasValid: boolean };

/**
 * Creates this process's cache of seatings, so that a batch need not load seatings that an earlier batch has loaded. Each write
 * that changes a bill or ends a seating stores a new `last_batch` in the counters, and each batch reads `last_batch` first. So
 * the cache is valid only if this process wrote the newest batch of all instances.
 */
export function createSeatingCache() {
  let last: { batchId: string; seatings: Map<number, CachedSeating> } | null = null;
  return {
    /**
     * Returns the seatings after the batch with this id; null if this process has written a later batch or never wrote this one.
     */
    after: (batchId: string | null): CachedSeatings | null => (last?.batchId === batchId ? last.seatings : null),
    /** Updates the cache after a committed batch. If the cache was out of date or full, empties it first. */
    update: ({ batchId, seatings, wasValid }: SeatingsLeft): void => {
      const kept = wasValid && last && last.seatings.size < maxSeatings ? last.seatings : null;
      const updated = kept ?? new Map<number, CachedSeating>();
      for (const { seating, open } of seatings)
        if (open) updated.set(seating, open);
        else updated.delete(seating);
      last = { batchId, seatings: updated };
    },
  };
}
