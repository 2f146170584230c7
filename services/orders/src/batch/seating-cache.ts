import type { BatchState } from './batch-state.ts';
import type { OpenBill } from '../bills/bill-store.ts';

/** The open bill of a seating that has not ended. */
export type KnownSeating = OpenBill & {
  seating: number;
  /** How many items were ever ordered for it; null if that is not known. No more can be open. */
  itemsOrdered: number | null;
};
export type Known = ReadonlyMap<number, KnownSeating>;
/** What a batch has left. It knows that these seatings have not ended, and how many items were ordered for them. */
type Left = { before: Known | null; itemsOrdered: ReadonlyMap<number, number | null>; state: BatchState };
export type KnownSeatings = ReturnType<typeof createKnownSeatings>;

const maxSeatings = 10_000;

/**
 * What this process knows after its last batch, so that the next one need not read it. Whoever changes a bill or ends a
 * seating writes another `last_batch` into the counters, which each batch reads first. So what is known holds as long as
 * the last batch of all is the last one of this process.
 */
export function createKnownSeatings() {
  let last: { batch: string; openBills: Map<number, KnownSeating> } | null = null;
  return {
    /** What holds after `batch`; null if it was not the last one of this process. */
    after: (batch: string | null): Known | null => (last?.batch === batch ? last.openBills : null),
    /** Keeps what the committed `batch` has left, and what was known before it. */
    keep: (batch: string, { before, itemsOrdered, state: { bills, changed } }: Left): void => {
      const isKept = before !== null && before.size < maxSeatings;
      const openBills = (isKept && last?.openBills) || new Map<number, KnownSeating>();
      const left = new Map(itemsOrdered);
      for (const { bill } of bills.byId.values()) {
        const earlier = openBills.get(bill.seating ?? 0);
        if (earlier && !left.has(earlier.seating)) left.set(earlier.seating, earlier.itemsOrdered);
      }
      const movedTo = new Set(
        changed.flatMap(({ before: { seating }, order }) => (order.seating === seating ? [] : order.seating)),
      );
      for (const [seating, items] of left) {
        openBills.delete(seating);
        const id = bills.openBySeating.get(seating) ?? 0;
        const version = bills.byId.get(id)?.bill.version ?? bills.growing.get(id)?.version;
        if (version !== undefined)
          openBills.set(seating, { id, version, seating, itemsOrdered: movedTo.has(seating) ? null : items });
      }
      last = { batch, openBills };
    },
  };
}
