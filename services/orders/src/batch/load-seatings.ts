import { maxOpenItemsPerSeating } from '@comanda/contracts/rules';
import type { Session } from '@comanda/shared/mongo/transactions';
import { whereJoined, type EndedSeatingStore, type SeatingEnd } from '../seatings/ended-seating-store.ts';
import type { BatchState } from './batch-state.ts';
import type { BillStore, OpenBill } from '../bills/bill-store.ts';
import type { Known } from './seating-cache.ts';
import type { OrderStore } from '../orders/order-store.ts';
import type { Placement } from '../orders/place-order.ts';

type LoadSeatingsDeps = {
  orders: Pick<OrderStore, 'getOpenItems'>;
  bills: Pick<BillStore, 'findOpen'>;
  seatings: Pick<EndedSeatingStore, 'findEnded'>;
};
type OfPlacements = {
  /** The seatings of placements, and those that orders move to. */
  named: readonly number[];
  placements: readonly Placement[];
  known: Known | null;
  newestSeating: number;
  newestEnded: number;
  session: Session;
};
type Ends = ReadonlyMap<number, SeatingEnd>;
type Seatings = {
  endedSeatings: Ends;
  /** The open bills of the seatings of placements. */
  open: OpenBill[];
  openItems: Map<number, number>;
  /** How many items the placements' seatings have ever ordered, as the batch has left them; null if that is not known. */
  itemsOrdered: (state: BatchState) => Map<number, number | null>;
};
/**
 * The seatings that the placements belong to and that have not ended, with their open bills and items. Reads what is not
 * known; a seating that nothing was ordered for has neither.
 */
export async function loadSeatings(
  { seatings, bills, orders }: LoadSeatingsDeps,
  { named, placements, known, newestSeating, newestEnded, session }: OfPlacements,
): Promise<Seatings> {
  const isUnknown = (seating: number): boolean => !known?.has(seating);
  const hasOrders = (seating: number): boolean => seating <= newestSeating;
  const mayHaveEnded = named.filter((seating) => seating <= newestEnded && isUnknown(seating));
  const endedSeatings = await seatings.findEnded([...new Set(mayHaveEnded)], session);
  const joined = [...endedSeatings.values()].flatMap((end) => (end.kind === 'joined' ? [end.into] : []));
  const seatingIds = [...new Set([...named, ...joined])].filter((seating) => !endedSeatings.has(seating));
  const knownOpen = seatingIds.flatMap((seating) => known?.get(seating) ?? []);
  const open = [
    ...knownOpen,
    ...(await bills.findOpen(
      seatingIds.filter((seating) => hasOrders(seating) && isUnknown(seating)),
      session,
    )),
  ];

  const lines = linesOf(placements, endedSeatings);
  const orderedBefore = (seating: number): number | null =>
    hasOrders(seating) ? (known?.get(seating)?.itemsOrdered ?? null) : 0;
  // What was ordered may be delivered by now: only if it is too much, what is open is counted.
  const isCounted = (seating: number): boolean =>
    (orderedBefore(seating) ?? Infinity) + (lines.get(seating) ?? 0) > maxOpenItemsPerSeating;
  const [counted, others] = [seatingIds.filter(isCounted), seatingIds.filter((seating) => !isCounted(seating))];
  const openItems = await orders.getOpenItems(counted, session);
  for (const seating of others) openItems.set(seating, orderedBefore(seating) ?? 0);
  return {
    endedSeatings,
    open,
    openItems,
    itemsOrdered: (state) =>
      new Map(seatingIds.map((seating) => [seating, isCounted(seating) ? null : (state.openItems.get(seating) ?? 0)])),
  };
}

/** How many items are to be ordered for each seating. */
function linesOf(placements: readonly Placement[], ends: Ends): Map<number, number> {
  const lines = new Map<number, number>();
  for (const { location, lines: ordered } of placements) {
    const seating = whereJoined(ends, location.seating);
    if (seating !== null) lines.set(seating, (lines.get(seating) ?? 0) + ordered.length);
  }
  return lines;
}
