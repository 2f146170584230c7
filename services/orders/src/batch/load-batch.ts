import { randomUUID } from 'node:crypto';
import { businessDayOf, type RestaurantClock } from '@comanda/contracts/restaurant-clock';
import { allWhenSettled, type Session } from '@comanda/shared/mongo/transactions';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { BillsState, BillWork } from './record-bill-change.ts';
import type { BillWithOrders } from '../bills/bill.ts';
import { endOverdueReservations } from '../bills/expire-reservations.ts';
import type { BillStore, BillsToFind, OpenBill } from '../bills/bill-store.ts';
import type { BillChangeRequest } from './decide-bill-change.ts';
import { dishNamed } from '../menu/menu-item.ts';
import type { MenuStore } from '../menu/menu-store.ts';
import { afterTaking, onBusinessDay, type Counters, type NumbersToTake } from '../restaurant/counters.ts';
import type { OrderingPause } from '../restaurant/ordering-pause.ts';
import type { RestaurantSettings } from '../restaurant/restaurant-settings.ts';
import type { RestaurantStore } from '../restaurant/restaurant-store.ts';
import { whereJoined, type EndedSeatingStore } from '../seatings/ended-seating-store.ts';
import type { BatchState } from './batch-state.ts';
import type { SharedChange } from '../orders/change-order.ts';
import type { KnownSeatings } from './seating-cache.ts';
import { loadSeatings } from './load-seatings.ts';
import { holdingsOf, ownersToCount, type CustomerLimits, type Holdings } from './customer-limits.ts';
import type { OrderStore } from '../orders/order-store.ts';
import type { Placement } from '../orders/place-order.ts';

/** A write of the user `owner`. No attempt begins after `deadline` [performance.now()]. */
export type Write = { owner: number; traceparent: string; deadline: number } & (
  | { kind: 'placement'; placement: Placement }
  | { kind: 'change'; change: SharedChange }
  | { kind: 'bill'; change: BillChangeRequest }
);
export type Batch = readonly Write[];
export type BatchToLoad = {
  batch: Batch;
  /** Whether seatings are read even if this process or the counters say that there is nothing to read. */
  readsAll: boolean;
};
export type LoadOptions = {
  orders: OrderStore;
  menu: MenuStore;
  restaurant: RestaurantStore;
  bills: BillStore;
  seatings: Pick<EndedSeatingStore, 'findEnded'>;
  known: KnownSeatings;
  restaurantClock: RestaurantClock;
  currency: string;
  customerLimits: CustomerLimits;
  clock: Clock;
};

export type Loaded = {
  state: BatchState;
  /** The counters as the transaction has left them so far. */
  taken: Counters;
  /** To be called once the transaction is committed. */
  keepKnown: () => void;
};

/**
 * Takes numbers for all writes, as if none were refused, and reads the rest at the same time. Other batches wait for
 * the numbers until this transaction ends. What is read outside the transaction is checked by its writes.
 */
export async function loadBatch(
  options: LoadOptions,
  { batch, readsAll, session }: BatchToLoad & { session: Session },
): Promise<Loaded> {
  const { orders, menu, restaurant, restaurantClock, currency, customerLimits, clock } = options;
  const placements = batch.flatMap((write) => (write.kind === 'placement' ? [write.placement] : []));
  const changedIds = batch.flatMap((write) => (write.kind === 'change' ? [write.change.id] : []));
  const today = businessDayOf(clock(), restaurantClock);
  const named = dishesOf(batch);
  const hasCustomers = placements.some(({ placedBy }) => placedBy.role === 'customer');

  const [
    { before, taken, openItems, holdings, endedSeatings, bills, open, newestBySeating, settings, keepKnown },
    dishes,
    pause,
    requests,
    changed,
  ] = await allWhenSettled([
    loadInSession(options, { batch, readsAll, placements, today, session }),
    menu.findNewest(named),
    hasCustomers ? restaurant.getPause() : noPause,
    orders.findByRequestKeys(placements.flatMap(({ request }) => request?.key ?? [])),
    orders.findNewest([...new Set(changedIds)]),
  ]);
  const now = new Date(clock());
  const ofBills = bills.flatMap((each) => each.orders);
  const state: BatchState = {
    now,
    currency,
    pause,
    dishes: {
      byId: new Map(dishes.map((dish) => [dish.id, dish])),
      byName: new Map(named.names.map((name) => [name, dishNamed(dishes, name)])),
    },
    counters: onBusinessDay(before, today),
    portions: new Map(dishes.map(({ id, portionsLeft }) => [id, portionsLeft])),
    openItems,
    customerLimits,
    holdings,
    endedSeatings,
    requests: new Map(requests.map((placed) => [placed.request.key, placed])),
    orders: new Map([...changed, ...ofBills].map((order) => [order.id, order])),
    bills: toBillsState({ bills, open }, { newestBySeating, settings }),
    placed: [],
    changed: [],
    exceptions: [],
  };
  endOverdueReservations(state, batch[0]?.traceparent ?? '');
  return { state, taken, keepKnown: () => keepKnown(state) };
}

function toBillsState(
  { bills, open }: Pick<InSession, 'bills' | 'open'>,
  rest: Pick<BillsState, 'newestBySeating' | 'settings'>,
): BillsState {
  const toWork = ({ bill, orders }: BillWithOrders): BillWork => ({
    before: bill,
    bill,
    orders,
    history: [],
    messages: [],
  });
  const byId = new Map(bills.map((each) => [each.bill.id, toWork(each)]));
  const growing = open.filter(({ id }) => !byId.has(id)).map(({ id, version }) => ({ id, version, history: [] }));
  const openBills: OpenBill[] = [...open, ...bills.flatMap(({ bill }) => (bill.status === 'open' ? [bill] : []))];
  return {
    byId,
    growing: new Map(growing.map((each) => [each.id, each])),
    openBySeating: new Map(openBills.flatMap(({ seating, id }) => (seating === null ? [] : [[seating, id]]))),
    ...rest,
  };
}

type InSession = {
  before: Counters;
  taken: Counters;
  openItems: Map<number, number>;
  holdings: Map<number, Holdings>;
  endedSeatings: BatchState['endedSeatings'];
  bills: BillWithOrders[];
  /** The open bills of the seatings of placements. */
  open: OpenBill[];
  newestBySeating: Map<number, number>;
  settings: RestaurantSettings;
  keepKnown: (state: BatchState) => void;
};
type BatchInSession = BatchToLoad & { placements: readonly Placement[]; today: string; session: Session };
const readAll = { newestSeating: Infinity, newestEnded: Infinity };
const noPause: OrderingPause = { until: null, reason: null, version: 0 };

/**
 * What is open is counted, and bills are read, once the numbers are taken: then no other batch can add any. Nor can a
 * seating end before this transaction does (`markSeatingEnded`).
 */
async function loadInSession(
  options: LoadOptions,
  { batch, readsAll, placements, today, session }: BatchInSession,
): Promise<InSession> {
  const { restaurant, orders, bills, known, customerLimits } = options;
  const numbers = numbersFor(batch);
  const batchId = randomUUID();
  const named = seatingsOf(batch);
  const ofBatch = { batch: batchId, today, seatings: named, session };
  const { counters: before, settings, lastBatch, ...taken } = await restaurant.takeNumbers(numbers, ofBatch);
  const knownBefore = readsAll ? null : known.after(lastBatch);
  const { newestSeating, newestEnded } = readsAll ? readAll : taken;
  const ofSeatings = { named, placements, known: knownBefore, newestSeating, newestEnded, session };
  const { endedSeatings, open, openItems, itemsOrdered } = await loadSeatings(options, ofSeatings);
  const holdings = holdingsOf(await orders.findOpenOf(ownersToCount(customerLimits, placements), session));
  const found = await bills.findAll(billsOf(batch, endedSeatings), session);
  const reopened = new Set(
    batch.flatMap((write) => (write.kind === 'bill' && write.change.needs === 'newest' ? [write.change.billId] : [])),
  );
  const ofReopened = found.flatMap(({ bill }) => (reopened.has(bill.id) ? (bill.seating ?? []) : []));
  return {
    before,
    taken: afterTaking(before, numbers),
    openItems,
    holdings,
    endedSeatings,
    bills: found,
    open,
    newestBySeating: await bills.findNewestIds(ofReopened, session),
    settings,
    keepKnown: (state) => known.keep(batchId, { before: knownBefore, itemsOrdered: itemsOrdered(state), state }),
  };
}

/** The seatings whose bills these writes may begin. */
const seatingsOf = (batch: Batch): number[] =>
  batch.flatMap((write) => {
    if (write.kind === 'placement') return write.placement.location.seating ?? [];
    return (write.kind === 'change' && write.change.movesTo?.seating) || [];
  });

/** The numbers that these writes may need. */
function numbersFor(batch: Batch): NumbersToTake {
  // How many exceptions there are is known once the writes are decided.
  const numbers = { orders: 0, items: 0, bills: 0, payments: 0, billNumbers: 0, movements: 0 };
  for (const write of batch) {
    if (write.kind === 'placement') {
      numbers.orders += 1;
      numbers.items += write.placement.lines.length;
      numbers.bills += 1;
    } else if (write.kind === 'change') numbers.bills += write.change.movesTo ? 1 : 0;
    else if (write.change.needs === 'payment') numbers.payments += 1;
    else if (write.change.needs === 'number') numbers.billNumbers += 1;
  }
  return numbers;
}

/** The bills that these writes may change, except by adding an order. */
function billsOf(batch: Batch, ends: InSession['endedSeatings']): BillsToFind {
  const [ids, seatings] = [new Set<number>(), new Set<number>()];
  const requestKeys: string[] = [];
  const add = (set: Set<number>, value: number | null | undefined): void => {
    if (value != null) set.add(value);
  };
  for (const write of batch) {
    if (write.kind === 'change') {
      add(ids, write.change.billId);
      add(seatings, whereJoined(ends, write.change.movesTo?.seating ?? null));
    } else if (write.kind === 'bill') {
      add(ids, write.change.billId);
      add(ids, write.change.otherId);
      if (write.change.request) requestKeys.push(write.change.request.key);
    }
  }
  return { ids: [...ids], seatings: [...seatings], requestKeys };
}

/** The dishes that placements name, and those that changes give portions back to. */
function dishesOf(batch: Batch): { ids: number[]; names: string[] } {
  const dishes = batch.flatMap((write): readonly (number | string)[] => {
    if (write.kind === 'placement') return write.placement.lines.map(({ dish }) => dish);
    return write.kind === 'change' ? write.change.dishIds : [];
  });
  const ids = dishes.filter((dish) => typeof dish === 'number');
  const names = dishes.filter((dish) => typeof dish === 'string');
  return { ids: [...new Set(ids)], names: [...new Set(names)] };
}
