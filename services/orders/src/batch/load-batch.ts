import { randomUUID } from 'node:crypto';
import { businessDayOf, type RestaurantClock } from '@comanda/contracts/restaurant-clock';
import { allWhenSettled, type Session } from '@comanda/shared/mongo/transactions';
import type { Clock } from '@comanda/shared/runtime/clock';
import { onlyMain } from '../cash-drawers/cash-drawer.ts';
import type { CashDrawerStore } from '../cash-drawers/cash-drawer-store.ts';
import type { BillStore, OpenBill } from '../bills/bill-store.ts';
import type { BillWithOrders } from '../bills/bill.ts';
import type { OrderStore } from '../orders/order-store.ts';
import type { Order } from '../orders/order.ts';
import type { PixDecisionStore } from '../pix/pix-decision-store.ts';
import type { CounterStore } from '../restaurant/counter-store.ts';
import { afterTaking, onBusinessDay, type Counters } from '../restaurant/counters.ts';
import type { OrderingPauseStore } from '../restaurant/ordering-pause-store.ts';
import type { OrderingPause } from '../restaurant/ordering-pause.ts';
import type { EndedSeatingStore } from '../seatings/ended-seating-store.ts';
import type { BatchState, BillInBatch, BillsInBatch, CustomerLimits } from './batch-state.ts';
import { holdingsOf, ownersToCount } from './customer-limits.ts';
import { loadDishes, type LoadDishesDeps } from './load-dishes.ts';
import { countItems, loadSeatings } from './load-seatings.ts';
import type { CachedSeatings, LoadedSeating, SeatingCache } from './seating-cache.ts';
import {
  billsChangedBy,
  billsOf,
  dishesOf,
  numbersFor,
  orderKeysOf,
  ordersOf,
  readsCashDrawers,
  seatingsOf,
  statementsOf,
  type PlaceOrder,
  type RemakeItem,
  type Write,
} from './write.ts';

export type LoadBatchDeps = LoadDishesDeps & {
  orders: Pick<OrderStore, 'findByRequestKeys' | 'findNewest' | 'findOpenOf' | 'findOpenWithoutBill' | 'getOpenItems'>;
  counters: Pick<CounterStore, 'takeNumbers'>;
  pause: Pick<OrderingPauseStore, 'get'>;
  cashDrawers: Pick<CashDrawerStore, 'findStatuses'>;
  bills: Pick<BillStore, 'findAll' | 'findOpen' | 'findNewestIds'>;
  seatings: Pick<EndedSeatingStore, 'findEnded'>;
  pixDecisions: Pick<PixDecisionStore, 'findAbout'>;
  seatingCache: Pick<SeatingCache, 'after'>;
  restaurantClock: RestaurantClock;
  currency: string;
  customerLimits: CustomerLimits;
  clock: Clock;
};
type BatchToLoad = {
  writes: readonly Write[];
  /** True to load seatings even if the cache or the counters say that nothing needs to be loaded. */
  readsAll: boolean;
  session: Session;
};
/** The writes that add orders. */
type Added = { placements: readonly PlaceOrder[]; remakes: readonly RemakeItem[] };
export type LoadedBatch = {
  state: BatchState;
  /** The random id that identifies this batch in the counters. */
  batchId: string;
  /** The counters after this transaction has taken its numbers. */
  taken: Counters;
  loadedSeatings: readonly LoadedSeating[];
  /** The cached seatings before the batch; null if the cache was out of date. */
  cached: CachedSeatings | null;
};

const noPause: OrderingPause = { until: null, reason: null, version: 0 };
const readAll = { newestSeating: Infinity, newestEnded: Infinity };

/**
 * Takes numbers for all writes, as if none will be rejected, and loads everything else at the same time. Other batches wait for
 * their numbers until this transaction ends. Data loaded outside the transaction may be outdated, so every write checks its
 * version.
 */
export async function loadBatch(deps: LoadBatchDeps, toLoad: BatchToLoad): Promise<LoadedBatch> {
  const { orders, restaurantClock, currency, customerLimits, clock } = deps;
  const { writes } = toLoad;
  const placements = writes.filter((write) => write.kind === 'place');
  const remakes = writes.filter((write) => write.kind === 'remake');
  const hasCustomers = placements.some(({ context }) => context.actor.role === 'customer');
  const today = businessDayOf(clock(), restaurantClock);

  const [loaded, dishes, pause, requests, changed] = await allWhenSettled([
    loadInSession(deps, { ...toLoad, placements, remakes, today }),
    loadDishes(deps, { ...dishesOf(writes), isOrdered: placements.length > 0 }),
    hasCustomers ? deps.pause.get() : noPause,
    orders.findByRequestKeys(orderKeysOf(writes)),
    orders.findNewest(ordersOf(writes)),
  ]);

  const { day, cashDrawers, counters, bills, holdings, endedSeatings, pix, withoutBill, ...ofBatch } = loaded;
  const { openItems, loadedSeatings } = await countItems(deps, {
    ...loaded,
    ...dishes,
    placements,
    remakes,
    session: toLoad.session,
  });
  const state: BatchState = {
    now: new Date(clock()),
    currency,
    pause,
    day,
    cashDrawers,
    counters: onBusinessDay(counters, today),
    ...dishes,
    openItems,
    customerLimits,
    holdings,
    endedSeatings,
    requests: new Map(requests.map((placed) => [placed.request.key, placed])),
    bills,
    orders: new Map(
      [...changed, ...withoutBill, ...[...bills.byId.values()].flatMap((bill) => bill.orders)].map((order) => [
        order.id,
        order,
      ]),
    ),
    placed: [],
    divided: [],
    changed: [],
    exceptions: [],
    pix,
    movements: [],
  };
  return { state, ...ofBatch, loadedSeatings };
}

type InSession = Pick<
  BatchState,
  'day' | 'cashDrawers' | 'bills' | 'counters' | 'openItems' | 'holdings' | 'endedSeatings' | 'pix'
> &
  Omit<LoadedBatch, 'state'> & { withoutBill: readonly Order[] };

/**
 * Loads everything that no other batch can change now. Once this transaction has taken its numbers, no other batch can add orders
 * or change bills, and no seating can end (`markSeatingEnded`), until the transaction ends.
 */
async function loadInSession(
  deps: LoadBatchDeps,
  { writes, readsAll, placements, remakes, today, session }: BatchToLoad & Added & { today: string },
): Promise<InSession> {
  const { orders, bills, seatingCache, customerLimits } = deps;
  const batchId = randomUUID();
  const numbers = numbersFor(writes);
  const named = seatingsOf(writes);
  const before = await deps.counters.takeNumbers(numbers, { batch: batchId, today, seatings: named, session });
  const { counters, day, settings } = before;
  const cached = readsAll ? null : seatingCache.after(before.lastBatch);
  const { newestSeating, newestEnded } = readsAll ? readAll : before;
  const ofSeatings = { named, placements, remakes, cached, newestSeating, newestEnded, session };
  const { endedSeatings, open, openItems, loadedSeatings } = await loadSeatings(deps, ofSeatings);
  const holdings = holdingsOf(await orders.findOpenOf(ownersToCount(customerLimits, placements), session));
  const loadedBills = await bills.findAll(billsOf(writes, endedSeatings), session);
  const known = await deps.pixDecisions.findAbout(statementsOf(writes), session);
  // A bill can't be reopened if its seating has a newer one.
  const newestBySeating = await bills.findNewestIds(seatingsIn(loadedBills, billsChangedBy(writes, 'reopen')), session);
  const moving = seatingsIn(loadedBills, billsChangedBy(writes, 'move', 'merge'));
  const withoutBill = await orders.findOpenWithoutBill(moving, session);
  const cashDrawers = readsCashDrawers(writes) ? await deps.cashDrawers.findStatuses(session) : onlyMain;
  return {
    day,
    cashDrawers,
    counters,
    openItems,
    holdings,
    endedSeatings,
    pix: { known, added: [] },
    bills: { ...toBillsInBatch(loadedBills, open), newestBySeating, settings },
    withoutBill,
    batchId,
    taken: afterTaking(counters, numbers),
    loadedSeatings,
    cached,
  };
}

const seatingsIn = (bills: readonly BillWithOrders[], ids: ReadonlySet<number>): number[] =>
  bills.flatMap(({ bill }) => (ids.has(bill.id) ? (bill.seating ?? []) : []));

const toBillInBatch = ({ bill, orders }: BillWithOrders): BillInBatch => ({
  before: bill,
  bill,
  orders,
  history: [],
  messages: [],
});

function toBillsInBatch(
  loaded: readonly BillWithOrders[],
  open: readonly OpenBill[],
): Pick<BillsInBatch, 'byId' | 'appendOnly' | 'openBySeating'> {
  const byId = new Map(loaded.map((each) => [each.bill.id, toBillInBatch(each)]));
  const appendOnly = open.filter(({ id }) => !byId.has(id)).map(({ id, version }) => ({ id, version, history: [] }));
  const openBills: OpenBill[] = [...open, ...loaded.flatMap(({ bill }) => (bill.status === 'open' ? [bill] : []))];
  return {
    byId,
    appendOnly: new Map(appendOnly.map((each) => [each.id, each])),
    openBySeating: new Map(openBills.flatMap(({ seating, id }) => (seating === null ? [] : [[seating, id]]))),
  };
}
