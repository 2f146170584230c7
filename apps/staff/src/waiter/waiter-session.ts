import type { Client, FeedState, Live, LiveOrder } from '@comanda/client';
import { rateOf } from '@comanda/contracts/bill-amounts';
import type { Table } from '@comanda/contracts/tables';
import { guestName } from '@comanda/ui/guest-name.ts';
import { openOrdering } from '@comanda/ui/open-ordering.ts';
import { openStops } from '@comanda/ui/open-stops.ts';
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import { isUnread } from '@comanda/ui/feed-state.ts';
import { withBumps, type Bump } from '../bumps/bump.ts';
import { tagOf } from '../bumps/send-bump.ts';
import type { OrderItem } from '../bumps/ticket.ts';
import { followMenu } from '../menu/follow-menu.ts';
import { openPaying } from './bill/paying.ts';
import { createBills } from './bills.ts';
import { atTables, unseenOrders, waitingTables, type Line } from './by-table.ts';
import { followCalls } from '../calls/follow-calls.ts';
import { createDraft } from './draft.ts';
import { followTables } from './follow-tables.ts';
import { freedTable, type Freed } from './freed-table.ts';
import { openMoveGuests } from './move-guests.ts';
import { createNoticeLine } from './notice.ts';
import { openOrderOutbox } from './outbox.ts';
import { createReadyTimes } from './ready-times.ts';
import { openServed } from './served.ts';

export type WaiterSession = ReturnType<typeof openWaiterSession>;

/** A waiter at work: orders and tables, what was served here, and orders on their way to the kitchen. */
export function openWaiterSession(client: Client) {
  const userId = client.who()?.userId ?? 0;
  const isManager = client.who()?.role === 'manager';
  /** The server's time, once a second. */
  const now = signal(client.now());
  const notice = createNoticeLine();
  const draft = createDraft(userId);
  const stopped = openStopped(client);
  const menu = followMenu(client);
  const tables = followTables(client);
  const calls = followCalls(client);
  const readyTimes = createReadyTimes(client);
  const list = createOrderList();
  const { feedState, isRead } = list;
  const applyAnswer = (order: LiveOrder): void => {
    live.apply(order);
    bills.apply(order);
  };
  const served = openServed({ client, userId, onMade: applyAnswer, onDropped: notice.show });
  const orders = computed(() => shownOrders(list, tables, served));
  const paying = openPaying({
    client,
    userId,
    showNotice: notice.show,
    onTableFreed: (name) =>
      readFreed(name, { tables, countOpen: (table) => (isRead.value ? bills.of(table).openCount : null) }),
  });
  const bills = createBills(client, { orders, isRead, paying, tables });
  const guests = openMoveGuests({ client, userId, tables, paying, showNotice: notice.show });
  const outbox = openOrderOutbox({
    client,
    userId,
    onPlaced: (order) => {
      applyAnswer(order);
      notice.show({ kind: 'sent', ticket: order.ticket, table: order.table });
    },
  });
  const live = followOrders(list, { client, readyTimes, tables, onLive: goOn });
  /** Does what had to wait for the network. */
  function goOn(): void {
    for (const waiting of [served, paying, guests]) waiting.retry();
    outbox.tryNow();
    for (const known of [bills, tables]) void known.read();
  }
  const timer = setInterval(() => (now.value = client.now()), 1_000);
  void bills.read();

  return {
    userId,
    feedState,
    now,
    notice: notice.notice,
    showNotice: notice.show,
    draft,
    menu,
    tables,
    calls,
    ordering: stopped.ordering,
    stops: stopped.stops,
    bills,
    guests,
    paying,
    isManager,
    /** Whether this user may give discounts: waiters up to the limit of the restaurant. */
    mayDiscount: computed(() => isManager || rateOf(paying.restaurant.value?.waiter_discount_limit ?? '0') > 0n),
    outbox,
    isRead,
    waiting: computed(() => waitingTables(orders.value, readyTimes.readyAt)),
    unsentCount: computed(() => served.waiting.value.length),
    ...openAlarms({ orders, feedState, now }),
    ...servingActs(served, notice.show),
    ...tableActs({ client, tables, bills, applyAnswer, showNotice: notice.show }),
    close: (): void => {
      clearInterval(timer);
      for (const each of [live, outbox, paying, guests, served, tables, bills, calls, stopped, menu, notice])
        each.close();
    },
  };
}

/** The orders as this screen shows them: with what was served here and is not answered yet. */
const shownOrders = (
  list: OrderList,
  { tables }: Pick<ReturnType<typeof followTables>, 'tables'>,
  { waiting }: Pick<ReturnType<typeof openServed>, 'waiting'>,
): readonly LiveOrder[] => atTables(tables.value, list.orders.value).map((order) => withBumps(order, waiting.value));

/** What the restaurant does not do now. */
function openStopped(client: Client) {
  const [ordering, stops] = [openOrdering(client), openStops(client)];
  void stops.read();
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
async function readFreed(name: string | null, { tables, countOpen }: FreedSources): Promise<Freed> {
  await tables.read();
  return freedTable(name, { tables: tables.tables.value, countOpen });
}

type Following = {
  client: Client;
  readyTimes: ReturnType<typeof createReadyTimes>;
  tables: ReturnType<typeof followTables>;
  onLive: () => void;
};
/** The orders as the server has them. */
const createOrderList = () => ({
  feedState: signal<FeedState>({ kind: 'connecting' }),
  orders: signal<readonly LiveOrder[]>([]),
  isRead: signal(false),
});
type OrderList = ReturnType<typeof createOrderList>;

function followOrders({ feedState, orders, isRead }: OrderList, following: Following): Live<'order'> {
  const { client, readyTimes, tables, onLive } = following;
  const live = client.liveOrders({
    onChange: (all) => {
      orders.value = all;
      isRead.value = live.isRead();
      readyTimes.readMissing(all);
      tables.takeOrders(all);
    },
    onEvent: readyTimes.takeEvent,
    onState: (state) => (feedState.value = state),
    onStanding: ({ status }) => {
      if (status === 'live') onLive();
    },
  });
  return live;
}

type AlarmDeps = {
  orders: ReadonlySignal<readonly LiveOrder[]>;
  feedState: ReadonlySignal<FeedState>;
  now: ReadonlySignal<number>;
};
function openAlarms({ orders, feedState, now }: AlarmDeps) {
  /** Orders of which the waiter has told all stations that had not shown them. */
  const told = signal<ReadonlySet<number>>(new Set());
  return {
    /** Orders that stations have not shown. Without a live feed nobody here hears that one has. */
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
  applyAnswer: (order: LiveOrder) => void;
  showNotice: ShowNotice;
};
const tableActs = ({ client, tables, bills, applyAnswer, showNotice }: TableDeps) => ({
  /** Begins a seating, to which the table's open orders then belong. @throws CallFailure */
  openTable: async (table: Table): Promise<void> => {
    const { orders: found } = bills.of(table);
    const location = locationOf(await tables.open(table));
    for (const { id } of found) applyAnswer(await client.calls.moveOrder({ id, ...location }));
    showNotice({ kind: 'opened', table: table.table });
  },
  /** @throws CallFailure */
  closeTable: async (table: Table): Promise<void> => {
    await tables.end(table);
    showNotice({ kind: 'closed', table: table.table });
  },
  /** Moves the order as this screen shows it. A free table is opened: else no bill would have the order. @throws CallFailure */
  moveOrder: async ({ id, version }: LiveOrder, to: Table): Promise<void> => {
    const location = locationOf(to.seating === null ? await tables.open(to) : to);
    const moved = await client.calls.moveOrder({ id, ...location }, { ifMatch: tagOf(id, version) });
    applyAnswer(moved);
    showNotice({ kind: 'moved', ticket: moved.ticket, table: to.table });
  },
  /** Takes a dish off the order as this screen shows it: the kitchen stops it, and nobody pays it. `reason` may be empty. @throws CallFailure */
  takeOff: async (
    { id, version, ticket }: LiveOrder,
    { item: { id: itemId, name }, reason }: { item: OrderItem; reason: string },
  ): Promise<void> => {
    const change = { id, item_id: itemId, status: 'cancelled', ...(reason !== '' && { reason }) } as const;
    applyAnswer(await client.calls.updateOrderItem(change, { ifMatch: tagOf(id, version) }));
    showNotice({ kind: 'taken_off', ticket, dish: name });
  },
});

const locationOf = ({ table, seating }: Table) => ({ table, ...(seating !== null && { seating }) });
