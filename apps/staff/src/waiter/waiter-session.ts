import type { Client, FeedState, LiveOrder } from '@comanda/client/core';
import { orders as allOrders } from '@comanda/client/collections/orders';
import { rateOf } from '@comanda/contracts/bill-amounts';
import type { Table } from '@comanda/contracts/tables';
import { openClock } from '@comanda/ui/clock.ts';
import { guestName } from '@comanda/ui/guest-name.ts';
import { openOrdering } from '@comanda/ui/open-ordering.ts';
import { openStops } from '@comanda/ui/open-stops.ts';
import type { UnsentList } from '@comanda/ui/unsent.ts';
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { isUnread } from '@comanda/ui/feed-state.ts';
import { withBumps, type Bump } from '../bumps/bump.ts';
import { followMenu } from '../menu/follow-menu.ts';
import { openPaying } from './bill/paying.ts';
import { createBills } from './bills.ts';
import { openCovers } from './covers.ts';
import { atTables, unseenOrders, waitingTables, type Line } from './by-table.ts';
import { followCalls } from '../calls/follow-calls.ts';
import { createDraft } from './draft.ts';
import { openRecentDishes } from './recent-dishes.ts';
import { followTables } from './follow-tables.ts';
import { freedTable, type ClosedTable } from './freed-table.ts';
import { lineActs } from './line-acts.ts';
import { followOffer } from './offer.ts';
import { openMoveGuests } from './move-guests.ts';
import { createNoticeLine } from './notice.ts';
import { openUnsentOrders } from './unsent-orders.ts';
import { createReadyTimes } from './ready-times.ts';
import { openServed } from './served.ts';

export type WaiterSession = ReturnType<typeof openWaiterSession>;

/** The state of a waiter's screen: orders, tables, served dishes, bills, and orders that the kitchen has not received yet. */
export function openWaiterSession(client: Client, unsent: UnsentList) {
  const userId = client.who()?.userId ?? 0;
  const isManager = client.who()?.role === 'manager';
  const now = openClock(client);
  const notice = createNoticeLine();
  const stopped = openStopped(client);
  const menu = followMenu(client);
  const offer = followOffer(client, menu.dishes);
  const draft = createDraft(userId, offer.offer);
  const tables = followTables(client);
  const calls = followCalls(client);
  const readyTimes = createReadyTimes(client);
  const list = client.collection(allOrders, {
    onEvent: readyTimes.takeEvent,
    onStanding: ({ status }) => {
      if (status === 'live') resume();
    },
  });
  list.onChange(() => readyTimes.readMissing(list.rows.value));
  const { feedState, isLoaded } = list;
  const served = openServed({ client, userId, unsent, onDropped: notice.show });
  /** The orders as this screen shows them, with served dishes that have no response yet. */
  const orders = computed(() =>
    atTables(tables.tables.value, list.rows.value).map((order) => withBumps(order, served.waiting.value)),
  );
  const paying = openPaying({
    client,
    unsent,
    showNotice: notice.show,
    onTableFreed: (name) =>
      readFreed(name, { tables, countOpen: (table) => (isLoaded.value ? bills.of(table).openCount : null) }),
  });
  const bills = createBills(client, { orders, isRead: isLoaded, paying, tables });
  const guests = openMoveGuests({ client, unsent, tables, showNotice: notice.show });
  const unsentOrders = openUnsentOrders({
    client,
    unsent,
    onPlaced: ({ ticket, table }) => notice.show({ kind: 'sent', ticket, table }),
  });
  /** Sends everything that has waited for the network. */
  function resume(): void {
    for (const waiting of [served, paying, guests]) waiting.retry();
    unsentOrders.tryNow();
  }

  return {
    client,
    userId,
    feedState,
    now,
    notice: notice.notice,
    showNotice: notice.show,
    draft,
    recentDishes: openRecentDishes(userId),
    menu,
    offer,
    tables,
    calls,
    ordering: stopped.ordering,
    stops: stopped.stops,
    bills,
    guests,
    paying,
    isManager,
    /** True if this user may give discounts: managers always, and waiters if the restaurant allows them a discount. */
    mayDiscount: computed(() => isManager || rateOf(paying.restaurant.value?.waiter_discount_limit ?? '0') > 0n),
    unsentOrders,
    isRead: isLoaded,
    waiting: computed(() => waitingTables(orders.value, readyTimes.readyAt)),
    unsentCount: computed(() => served.waiting.value.length),
    ...openAlarms({ orders, feedState, now }),
    ...servingActs(served, notice.show),
    ...tableActs({ client, tables, bills, showNotice: notice.show }),
    ...lineActs({ client, tables, showNotice: notice.show }),
    covers: openCovers(client),
    close: (): void => {
      for (const each of [
        list,
        unsentOrders,
        paying,
        guests,
        served,
        tables,
        bills,
        calls,
        stopped,
        menu,
        offer,
        notice,
      ])
        each.close();
    },
  };
}

/** Follows what the restaurant has paused or stopped. */
function openStopped(client: Client) {
  const [ordering, stops] = [openOrdering(client), openStops(client)];
  stops.load();
  return {
    ordering,
    stops,
    close: (): void => {
      ordering.close();
      stops.close();
    },
  };
}

type FreedSources = Pick<Parameters<typeof freedTable>[1], 'countOpen'> & { tables: ReturnType<typeof followTables> };
async function readFreed(name: string | null, { tables, countOpen }: FreedSources): Promise<ClosedTable> {
  await tables.load();
  return freedTable(name, { tables: tables.tables.value, countOpen });
}

type AlarmDeps = {
  orders: ReadonlySignal<readonly LiveOrder[]>;
  feedState: ReadonlySignal<FeedState>;
  now: ReadonlySignal<number>;
};
function openAlarms({ orders, feedState, now }: AlarmDeps) {
  /** The ids of orders for which the waiter has acknowledged the alarm. */
  const told = signal<ReadonlySet<number>>(new Set());
  return {
    /**
     * Orders that some station has not shown in time. Without a live feed, this screen doesn't know what was shown, so there are
     * none.
     */
    alarms: computed(() =>
      feedState.value.kind === 'live' || isUnread(feedState.value)
        ? unseenOrders(orders.value, now.value).filter(({ order }) => !told.value.has(order.id))
        : [],
    ),
    acknowledge: (orderId: number): void => {
      told.value = new Set([...told.value, orderId]);
    },
  };
}

type ShowNotice = ReturnType<typeof createNoticeLine>['show'];

const servingActs = (served: ReturnType<typeof openServed>, showNotice: ShowNotice) => ({
  serve: (lines: readonly Line[]): void => {
    const bumps = served.serve(lines);
    const count = lines.reduce((sum, { item }) => sum + item.quantity, 0);
    const first = lines[0]?.order;
    const where = { table: first?.table ?? null, guest: guestName(first?.placed_by.name ?? '') };
    showNotice({ kind: 'served', ...where, count, bumps });
  },
  undoServed: (bumps: readonly Bump[]): void => {
    showNotice(null);
    served.undo(bumps);
  },
});

type TableDeps = {
  client: Client;
  tables: ReturnType<typeof followTables>;
  bills: ReturnType<typeof createBills>;
  showNotice: ShowNotice;
};
const tableActs = ({ client, tables, bills, showNotice }: TableDeps) => ({
  /** Starts a seating at the table, and moves the table's open orders to it. @throws CallFailure */
  openTable: async (table: Table): Promise<void> => {
    const { orders: found } = bills.of(table);
    const location = locationOf(await tables.open(table));
    for (const { id } of found) await client.calls.moveOrder({ id, ...location });
    showNotice({ kind: 'opened', table: table.table });
  },
  /** Ends the table's seating. @throws CallFailure */
  closeTable: async (table: Table): Promise<void> => {
    await tables.end(table);
    showNotice({ kind: 'closed', table: table.table });
  },
});

const locationOf = ({ table, seating }: Table) => ({ table, ...(seating !== null && { seating }) });
