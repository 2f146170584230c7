import type { BillsState } from './bills/bill-batch.ts';
import type { OpenBill } from './bills/bill-store.ts';

/** The open bills of seatings that have not ended. */
export type Known = ReadonlyMap<number, OpenBill>;
/** What a batch has left. It has read that these `seatings` have not ended. */
type Left = { before: Known | null; seatings: readonly number[]; bills: BillsState };
export type KnownSeatings = ReturnType<typeof createKnownSeatings>;

const maxSeatings = 10_000;

/**
 * What this process knows after its last batch, so that the next one need not read it. Whoever changes a bill or ends a
 * seating writes another `last_batch` into the counters, which each batch reads first. So what is known holds as long as
 * the last batch of all is the last one of this process.
 */
export function createKnownSeatings() {
  let last: { batch: string; openBills: Map<number, OpenBill> } | null = null;
  return {
    /** What holds after `batch`; null if it was not the last one of this process. */
    after: (batch: string | null): Known | null => (last?.batch === batch ? last.openBills : null),
    /** Keeps what the committed `batch` has left, and what was known before it. */
    keep: (batch: string, { before, seatings, bills }: Left): void => {
      const isKept = before !== null && before.size < maxSeatings;
      const openBills = (isKept && last?.openBills) || new Map<number, OpenBill>();
      const checked = new Set(seatings);
      for (const { bill } of bills.byId.values())
        if (bill.seating !== null && openBills.delete(bill.seating)) checked.add(bill.seating);
      for (const seating of checked) {
        const id = bills.openBySeating.get(seating) ?? 0;
        const version = bills.byId.get(id)?.bill.version ?? bills.growing.get(id)?.version;
        if (version !== undefined) openBills.set(seating, { id, version, seating });
      }
      last = { batch, openBills };
    },
  };
}
