import { CallFailure } from '@comanda/client';
import type { Client, FeedEvent, FeedStanding, LiveItem, LiveOrder } from '@comanda/client';
import type { Table } from '@comanda/contracts/users';
import { isBefore, statusOf } from '@comanda/contracts/transitions';
import { batch, computed, signal } from '@preact/signals';
import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';
import { undoOf, withBumps } from '../model/bump.ts';
import type { Bump } from '../model/bump.ts';
import { createBumpQueue } from '../model/bump-queue.ts';
import type { Dropped } from '../model/bump-queue.ts';
import { sendBump, tagOf } from '../model/send-bump.ts';
import { feedStateOf } from '../parts/feed-state.ts';
import type { FeedState } from '../parts/feed-state.ts';
import { billOf, byTableName, leftOrdersOf, unseenOrders, waitingTables } from './by-table.ts';
import type { Line } from './by-table.ts';
import { createDraft } from './draft.ts';
import { servedName } from './kept-work.ts';
import { createOutbox } from './outbox.ts';

/** What the line at the bottom says. */
export type Notice =
  | { kind: 'served'; table: string | null; guest: string; count: number; bumps: readonly Bump[] }
  | { kind: 'sent'; ticket: number; table: string | null }
  | { kind: 'moved'; ticket: number; table: string }
  | { kind: 'closed' | 'opened'; table: string }
  | { kind: 'stopped'; table: string }
  | Dropped;

const undoForMs = 8_000;
const noticeForMs = 5_000;
const readTablesEveryMs = 15_000;
/** Bills reach back so far: no party stays longer. */
const billsForMs = 16 * 3_600_000;

/** Dishes that this user has served and the server has not answered. */
function loadServed(userId: number): readonly Bump[] {
  try {
    const stored: unknown = JSON.parse(readSetting(servedName(userId)) ?? '[]');
    return Array.isArray(stored) ? (stored as Bump[]) : [];
  } catch {
    return []; // not written by this app
  }
}

export type WaiterSession = ReturnType<typeof openWaiterSession>;

/** The waiter's screen at work: orders and tables, what was served here, and orders on their way to the kitchen. */
export function openWaiterSession(client: Client) {
  const userId = client.who()?.userId ?? 0;
  const feedState = signal<FeedState>({ kind: 'connecting' });
  /** The server's time, once a second. */
  const now = signal(client.now());
  const isRead = signal(false);
  const tables = signal<readonly Table[]>([]);
  const tablesFailure = signal<unknown>(null);
  const menu = signal<readonly LiveItem[] | null>(null);
  const menuFailure = signal<unknown>(null);
  const notice = signal<Notice | null>(null);
  /** Orders of which somebody was acknowledged by word of mouth. */
  const acknowledged = signal<ReadonlySet<number>>(new Set());

  const listed = signal<readonly LiveOrder[]>([]);
  const answered = signal<ReadonlyMap<number, LiveOrder>>(new Map());
  const served = signal<readonly Bump[]>([]);
  /** Delivered orders that the live list does not keep, for the bills. */
  const delivered = signal<ReadonlyMap<number, LiveOrder>>(new Map());

  const queue = createBumpQueue({
    send: (bump) => sendBump(client.calls, bump, userId),
    load: () => loadServed(userId),
    save: (bumps) => writeSetting(servedName(userId), bumps.length === 0 ? null : JSON.stringify(bumps)),
    onChange: (waiting) => (served.value = waiting),
    onMade: setAnswered,
    onDropped: say,
  });
  served.value = queue.waiting();
  const draft = createDraft(userId);
  const outbox = createOutbox({
    client,
    userId,
    onPlaced: (order) => {
      setAnswered(order);
      say({ kind: 'sent', ticket: order.ticket, table: order.table });
    },
  });

  /** The orders as this screen shows them: with what was served here and is not answered yet. */
  const orders = computed<readonly LiveOrder[]>(() => {
    const newest = new Map(listed.value.map((order) => [order.id, order]));
    for (const [id, order] of answered.value) if ((newest.get(id)?.version ?? 0) < order.version) newest.set(id, order);
    return [...newest.values()].map((order) => withBumps(order, served.value));
  });
  const billed = computed(() => [
    ...new Map([...delivered.value, ...orders.value.map((each) => [each.id, each] as const)]).values(),
  ]);
  const sortedTables = computed(() => tables.value.toSorted(byTableName));

  let hideNoticeAtMs = Infinity;
  /** What was not done stays until somebody has read it. */
  function say(said: Notice | null): void {
    notice.value = said;
    const isError = said?.kind === 'stopped' || said?.kind === 'dropped';
    hideNoticeAtMs = isError ? Infinity : now.value + (said?.kind === 'served' ? undoForMs : noticeForMs);
  }
  function setAnswered(order: LiveOrder): void {
    answered.value = new Map([...answered.value, [order.id, order]]);
  }

  // When an item became ready is in no order: the events and the history tell.
  const readyTimes = signal<ReadonlyMap<number, number>>(new Map());
  const setReady = (times: readonly (readonly [number, number])[]): void => {
    readyTimes.value = new Map([...readyTimes.value, ...times]);
  };
  const askedVersions = new Map<number, number>();
  const readyAt = ({ order, item }: Line): number => readyTimes.value.get(item.id) ?? Date.parse(order.updated_at);
  async function readReadyTimes(order: LiveOrder): Promise<void> {
    if (askedVersions.get(order.id) === order.version) return;
    askedVersions.set(order.id, order.version);
    try {
      const history = await client.calls.getOrderHistory({ id: order.id });
      const ready = history.filter(({ what, to }) => what === 'status' && to === 'ready');
      setReady(
        order.items
          .filter(({ status }) => status === 'ready')
          .map(({ id }) => {
            const entry = ready.findLast(({ item_id: itemId }) => itemId === undefined || itemId === id);
            return [id, Date.parse(entry?.at ?? order.updated_at)] as const;
          }),
      );
    } catch {
      askedVersions.delete(order.id); // the order's last change stands for it until then
    }
  }

  const live = client.liveOrders({
    onChange: (all) => {
      listed.value = all;
      isRead.value = true;
      const listedIds = new Set(all.map(({ id }) => id));
      const fresh = [...answered.value].filter(([id, { version }]) =>
        listedIds.has(id) ? (all.find((each) => each.id === id)?.version ?? 0) < version : true,
      );
      if (fresh.length < answered.value.size) answered.value = new Map(fresh);
      for (const order of all)
        if (order.items.some(({ id, status }) => status === 'ready' && !readyTimes.value.has(id)))
          void readReadyTimes(order);
      if (all.some(({ table, seating }) => seating !== null && isOtherSeating(table, seating))) readTablesSoon();
    },
    onEvent,
    onStanding: (standing) => {
      if (standing.status === 'refused' && standing.reason === 'password_change_required') void client.signOut();
      if (standing.status === 'live') {
        queue.retry();
        outbox.tryNow();
        void readBills();
        void readTables();
      }
      setFeedState(standing);
    },
  });

  function onEvent({ type, data, time }: FeedEvent): void {
    if (type === 'order.item_status_changed' && data.to === 'ready') setReady([[data.item_id, Date.parse(time)]]);
    if (type === 'menu.item_changed' && menu.value) {
      const item = data.item as LiveItem & { deleted?: boolean };
      const others = menu.value.filter(({ id }) => id !== item.id);
      const before = menu.value.find(({ id }) => id === item.id);
      if (before && before.version > item.version) return;
      menu.value = item.deleted ? others : byPosition([...others, item]);
    }
  }

  function setFeedState(standing: FeedStanding): void {
    now.value = live.feed.now();
    feedState.value = feedStateOf(standing, { now: now.value, before: feedState.value });
  }

  const isOtherSeating = (table: string | null, seating: number): boolean => {
    const before = tables.peek().find((each) => each.table === table);
    return before !== undefined && (before.seating ?? 0) < seating;
  };
  let soon: ReturnType<typeof setTimeout> | undefined;
  function readTablesSoon(): void {
    soon ??= setTimeout(() => void readTables().finally(() => (soon = undefined)), 1_000);
  }
  async function readTables(): Promise<void> {
    try {
      const read = await client.calls.listTables();
      batch(() => {
        tables.value = read;
        tablesFailure.value = null;
      });
    } catch (error) {
      if (tables.value.length === 0) tablesFailure.value = error;
    }
  }
  async function readBills(): Promise<void> {
    const from = new Date(live.feed.now() - billsForMs).toISOString();
    const read = new Map<number, LiveOrder>();
    try {
      for await (const page of client.pages('listOrders', { status: 'delivered', from, limit: 200 }))
        for (const order of page) read.set(order.id, order);
      delivered.value = read;
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error; // read again when the feed is live
    }
  }
  async function readMenu(): Promise<void> {
    menuFailure.value = null;
    try {
      menu.value = byPosition(await client.calls.listMenu());
    } catch (error) {
      if (menu.value === null) menuFailure.value = error;
    }
  }

  const timer = setInterval(() => {
    setFeedState(live.feed.standing());
    if (hideNoticeAtMs <= now.value) say(null);
  }, 1_000);
  const tablesTimer = setInterval(() => void readTables(), readTablesEveryMs);
  void readTables();
  void readBills();

  const setTable = (changed: Table): void => {
    tables.value = [...tables.value.filter(({ table }) => table !== changed.table), changed];
  };

  async function beginSeating({ table }: Table): Promise<Table> {
    const opened = await client.calls.openTable({ table });
    setTable(opened);
    return opened;
  }

  return {
    feedState,
    now,
    isRead,
    tables: sortedTables,
    tablesFailure,
    menu,
    menuFailure,
    notice,
    draft,
    outbox,
    orders,
    waiting: computed(() => waitingTables(orders.value, readyAt)),
    /** Raised only while this phone hears of reports of seen orders. */
    alarms: computed(() =>
      feedState.value.kind === 'live'
        ? unseenOrders(orders.value, now.value).filter(({ id }) => !acknowledged.value.has(id))
        : [],
    ),
    bill: (table: Pick<Table, 'table' | 'seating'>) => billOf(table, billed.value),
    leftOrders: (table: Pick<Table, 'table' | 'seating'>) => leftOrdersOf(table, billed.value),
    /** People sit there, or there is something to settle. */
    isTaken: (table: Table): boolean => table.seating !== null || billOf(table, billed.value).orders.length > 0,
    keptCount: computed(() => served.value.length),
    say,
    acknowledge: (orderId: number): void => {
      acknowledged.value = new Set([...acknowledged.value, orderId]);
    },
    /** Serves these dishes: at once here, and on the server as soon as it can be reached. */
    serve: (lines: readonly Line[]): void => {
      const bumps = [...Map.groupBy(lines, ({ order }) => order.id).values()].flatMap((ofOrder) => {
        const [first] = ofOrder;
        if (!first) return [];
        const { order } = first;
        const moved = new Set(ofOrder.map(({ item }) => item.id));
        const left = order.items.filter(({ id, status }) => !moved.has(id) && isBefore(status, 'delivered'));
        const isWaiting = served.peek().some(({ orderId }) => orderId === order.id);
        return {
          id: client.newKey(),
          orderId: order.id,
          ticket: order.ticket,
          table: order.table,
          moves: [...moved].map((itemId) => ({ itemId, from: 'ready' as const, to: 'delivered' as const })),
          wholeOrderTo: left.length === 0 && statusOf(order.items) === 'ready' ? ('delivered' as const) : null,
          version: isWaiting ? null : order.version,
          atMs: now.value,
        };
      });
      for (const bump of bumps) queue.add(bump);
      const count = lines.reduce((sum, { item }) => sum + item.quantity, 0);
      const first = lines[0]?.order;
      const where = { table: first?.table ?? null, guest: first?.placed_by.name ?? '' };
      say({ kind: 'served', ...where, count, bumps });
    },
    undoServed: (bumps: readonly Bump[]): void => {
      say(null);
      for (const bump of bumps)
        if (!queue.remove(bump.id)) queue.add(undoOf(bump, { id: client.newKey(), atMs: now.value, version: null }));
    },
    /** Begins a seating, to which the table's open orders then belong. @throws CallFailure */
    openTable: async (table: Table): Promise<void> => {
      const { orders: found } = billOf(table, billed.peek());
      const opened = await beginSeating(table);
      for (const { id } of found) setAnswered(await client.calls.moveOrder({ id, ...locationOf(opened) }));
      say({ kind: 'opened', table: table.table });
    },
    /** @throws CallFailure */
    closeTable: async (table: Table): Promise<void> => {
      await client.calls.closeTable({ table: table.table });
      setTable({ ...table, seating: null });
      say({ kind: 'closed', table: table.table });
    },
    /** Moves the order as this screen shows it. A free table is opened: else no bill would have the order. @throws CallFailure */
    moveOrder: async ({ id, version }: LiveOrder, to: Table): Promise<void> => {
      const body = { id, ...locationOf(to.seating === null ? await beginSeating(to) : to) };
      const moved = await client.calls.moveOrder(body, { ifMatch: tagOf(id, version) });
      setAnswered(moved);
      say({ kind: 'moved', ticket: moved.ticket, table: to.table });
    },
    readMenu,
    readTables,
    close: (): void => {
      clearInterval(timer);
      clearInterval(tablesTimer);
      clearTimeout(soon);
      queue.close();
      outbox.close();
      live.close();
    },
  };
}

const locationOf = ({ table, seating }: Table) => ({ table, ...(seating !== null && { seating }) });
const byPosition = (items: readonly LiveItem[]): LiveItem[] => items.toSorted((a, b) => a.position - b.position);
