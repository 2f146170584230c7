import { maxOpenItemsPerSeating } from '@comanda/contracts/rules';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { BillStore, OpenBill } from '../bills/bill-store.ts';
import { countOptions } from '../orders/order-size.ts';
import type { OrderStore } from '../orders/order-store.ts';
import { whereJoined, type EndedSeatingStore, type SeatingEnd } from '../seatings/ended-seating-store.ts';
import type { BatchState } from './batch-state.ts';
import type { CachedSeatings, LoadedSeating } from './seating-cache.ts';
import type { PlaceOrder, RemakeItem } from './write.ts';

type LoadSeatingsDeps = {
  orders: Pick<OrderStore, 'getOpenItems'>;
  bills: Pick<BillStore, 'findOpen'>;
  seatings: Pick<EndedSeatingStore, 'findEnded'>;
};
type SeatingsToLoad = {
  /** The seatings for which orders are placed or to which orders move. */
  named: readonly number[];
  /** The writes that add orders. */
  placements: readonly PlaceOrder[];
  remakes: readonly RemakeItem[];
  cached: CachedSeatings | null;
  newestSeating: number;
  newestEnded: number;
  session: Session;
};
type Ends = ReadonlyMap<number, SeatingEnd>;
type Seatings = {
  endedSeatings: Ends;
  /** The seatings' open bills. */
  open: OpenBill[];
  openItems: Map<number, number>;
  loadedSeatings: LoadedSeating[];
};

/**
 * Loads the seatings that have not ended, with their open bills and numbers of open items. If a seating was joined into another
 * one, loads the other one instead. Doesn't load the bills of cached seatings, or of seatings that never had an order.
 */
export async function loadSeatings(
  { seatings, bills, orders }: LoadSeatingsDeps,
  { named, placements, remakes, cached, newestSeating, newestEnded, session }: SeatingsToLoad,
): Promise<Seatings> {
  const isUnknown = (seating: number): boolean => !cached?.has(seating);
  const hasOrders = (seating: number): boolean => seating <= newestSeating;
  const mayHaveEnded = named.filter((seating) => seating <= newestEnded && isUnknown(seating));
  const endedSeatings = await seatings.findEnded([...new Set(mayHaveEnded)], session);
  const joined = [...endedSeatings.values()].flatMap((end) => (end.kind === 'joined' ? [end.into] : []));
  const ids = [...new Set([...named, ...joined])].filter((seating) => !endedSeatings.has(seating));
  const toLoad = ids.filter((seating) => hasOrders(seating) && isUnknown(seating));
  const open = [...ids.flatMap((seating) => cached?.get(seating) ?? []), ...(await bills.findOpen(toLoad, session))];

  const lines = linesBySeating({ placements, remakes }, endedSeatings);
  const orderedBefore = (seating: number): number | null =>
    hasOrders(seating) ? (cached?.get(seating)?.itemsOrdered ?? null) : 0;
  // Items may have been delivered since they were ordered. So open items are counted only if all ordered items exceed the limit.
  const isCounted = (seating: number): boolean =>
    (orderedBefore(seating) ?? Infinity) + (lines.get(seating) ?? 0) > maxOpenItemsPerSeating;
  const loadedSeatings = ids.map((seating) => ({ seating, isCounted: isCounted(seating) }));
  const counted = loadedSeatings.flatMap((each) => (each.isCounted ? each.seating : []));
  const openItems = await orders.getOpenItems(counted, session);
  for (const each of loadedSeatings) if (!each.isCounted) openItems.set(each.seating, orderedBefore(each.seating) ?? 0);
  return { endedSeatings, open, openItems, loadedSeatings };
}

/** `openItems` and `loadedSeatings` are as `loadSeatings` returned them. */
type ItemsToCount = Pick<BatchState, 'optionGroups' | 'endedSeatings' | 'openItems'> & {
  loadedSeatings: readonly LoadedSeating[];
  placements: readonly PlaceOrder[];
  remakes: readonly RemakeItem[];
  session: Session;
};
type Counted = Pick<ItemsToCount, 'openItems' | 'loadedSeatings'>;

/**
 * Counts the open items of seatings again if this batch may order combos, which have more items than lines. Their open items are
 * counted only if all items ever ordered, and those that these combos add at most, exceed the limit.
 */
export async function countItems(
  { orders }: Pick<LoadSeatingsDeps, 'orders'>,
  { endedSeatings, openItems, loadedSeatings, optionGroups, placements, remakes, session }: ItemsToCount,
): Promise<Counted> {
  const options = [...optionGroups.values()].flatMap((group) => group.options);
  if (!options.some(({ item_id: id }) => id !== null)) return { openItems, loadedSeatings };
  const byDefault = options.filter((option) => option.default).length;
  const most = linesBySeating({ placements: [], remakes }, endedSeatings);
  for (const { location, lines } of placements) {
    const seating = whereJoined(endedSeatings, location.seating) ?? 0;
    const items = lines.map(({ quantity, options: asked }) => quantity * (1 + countOptions(asked) + byDefault));
    most.set(
      seating,
      items.reduce((total, each) => total + each, most.get(seating) ?? 0),
    );
  }
  const isUncertain = ({ seating, isCounted }: LoadedSeating): boolean =>
    !isCounted && (openItems.get(seating) ?? 0) + (most.get(seating) ?? 0) > maxOpenItemsPerSeating;
  const again = loadedSeatings.filter(isUncertain).map(({ seating }) => seating);
  const counted = await orders.getOpenItems(again, session);
  return {
    openItems: new Map([...openItems, ...again.map((seating) => [seating, counted.get(seating) ?? 0] as const)]),
    loadedSeatings: loadedSeatings.map((each) => (again.includes(each.seating) ? { ...each, isCounted: true } : each)),
  };
}

/** Returns the number of order lines in this batch for each seating. A remake is an order with one line. */
function linesBySeating(
  { placements, remakes }: Pick<SeatingsToLoad, 'placements' | 'remakes'>,
  ends: Ends,
): Map<number, number> {
  const added = [
    ...placements.map(({ location, lines }) => ({ seating: location.seating, count: lines.length })),
    ...remakes.map(({ seating }) => ({ seating, count: 1 })),
  ];
  const lines = new Map<number, number>();
  for (const { seating: named, count } of added) {
    const seating = whereJoined(ends, named);
    if (seating !== null) lines.set(seating, (lines.get(seating) ?? 0) + count);
  }
  return lines;
}
