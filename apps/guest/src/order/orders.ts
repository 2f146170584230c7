import type { Client, Collection, FeedState, LiveOrder } from '@comanda/client/core';
import { orders } from '@comanda/client/collections/orders';
import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import { isSameName } from '@comanda/contracts/text-key';
import { isMissing } from '@comanda/ui/feed-state.ts';
import { formatList } from '@comanda/ui/format.ts';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { nameOf, named } from '../in-guest-language.ts';
import { orderMessages } from './messages.ts';
import type { Menu } from '../menu/menu.ts';
import { quietMs } from '../quiet-ms.ts';
import type { Seat } from '../seat/seat.ts';

type Item = LiveOrder['items'][number];

/** The order in which items are listed: ready ones first, then the others by how soon they will be served. */
const rank: Readonly<Record<Item['status'], number>> = {
  ready: 0,
  preparing: 1,
  received: 2,
  delivered: 3,
  cancelled: 4,
};
export const byProgress = (items: readonly Item[]): Item[] =>
  [...items].sort((a, b) => rank[a.status] - rank[b.status]);

type Deps = { client: Client; seat: Seat; menu: Menu; announce: (text: string) => void; ring: () => void };
export type Orders = ReturnType<typeof openOrders>;

/** The orders of this phone's table, kept up to date by the feed. */
export function openOrders({ client, seat, menu, announce, ring }: Deps) {
  const { menuLanguage } = menu;
  const { isSeated, table, who, scanTrouble } = seat;
  const { received, isComplete, feedState, close } = followOrders({ client, table, announce, ring });
  /** The orders from a table that was closed. They stay readable until the next scan. */
  const closedBill = signal<{ table: string; orders: readonly LiveOrder[] } | null>(null);

  /** Returns true if this customer placed the order, even as a guest before they signed in. */
  const isOwn = (order: LiveOrder): boolean => seat.isOwn(order.placed_by.id);
  const isHere = (order: LiveOrder): boolean =>
    isSeated.value
      ? order.seating === who.value?.seating || order.placed_by.id === who.value?.userId
      : isSameName(order.table, table.value);
  /** The seating's orders, or without a seating the customer's orders at this table, newest first. */
  const shown = computed<readonly LiveOrder[]>(
    () =>
      closedBill.value?.orders ??
      received.value.filter(isHere).sort((a, b) => b.created_at.localeCompare(a.created_at) || b.id - a.id),
  );
  const all = computed(() =>
    shown.value.map((order) => ({ ...order, items: order.items.map((item) => named(item, menuLanguage.value)) })),
  );
  const openCounts = computed(() => {
    const counts = { ready: 0, preparing: 0, received: 0, delivered: 0 };
    for (const { items } of all.value)
      for (const { status, quantity } of items) if (status !== 'cancelled') counts[status] += quantity;
    return counts;
  });

  let bill: typeof closedBill.value = null;
  const stopKeepingBill = effect(() => {
    const isClosed = table.value === null && scanTrouble.value === 'ended';
    if (table.value !== null) bill = shown.value.length > 0 ? { table: table.value, orders: shown.value } : null;
    closedBill.value = isClosed ? bill : null;
  });

  return {
    all,
    isComplete,
    isOwn,
    openCounts,
    total: computed(() => fromMinor(all.value.reduce((sum, order) => sum + toMinor(order.total), 0n))),
    closedBill,
    /** True if the list includes the orders of all guests at the table. */
    isOfWholeTable: computed(() => isSeated.value || closedBill.value !== null),
    /** Since when the feed has not been live, by the server's clock, and why; null while it is live. */
    notLive: computed(() => (feedState.value.kind === 'not_live' ? feedState.value : null)),
    /** True if the orders could not be loaded, so some may be missing. */
    isMissing: computed(() => isMissing(feedState.value, isComplete.value)),
    /** Cancels one of this user's orders, if the kitchen has not started it. @throws CallFailure */
    cancel: async (order: LiveOrder): Promise<void> => {
      await client.calls.updateOrder({ id: order.id, status: 'cancelled' });
      announce(orderMessages().orderCancelled(order.ticket));
    },
    close: () => {
      stopKeepingBill();
      close();
    },
  };
}

type Following = Pick<Deps, 'client' | 'announce' | 'ring'> & { table: ReadonlySignal<string | null> };
/** Loads the table's orders, follows them while this phone is at the table, and announces changes. */
function followOrders({ client, table, announce, ring }: Following) {
  const isAtTable = computed(() => table.value !== null);
  const opened = signal<Collection<LiveOrder> | null>(null);
  const close = effect(() => {
    if (!isAtTable.value) return undefined;
    const collection = client.collection(orders, { quietMs });
    collection.onChange(({ changes, source }) => {
      if (source === 'answer') return;
      for (const change of changes) {
        if (change.kind !== 'changed') continue;
        const { text, isReady } = describeChange(change.before, change.after);
        if (text !== '') announce(text);
        if (isReady) ring();
      }
    });
    opened.value = collection;
    return () => {
      opened.value = null;
      collection.close();
    };
  });
  return {
    received: computed(() => opened.value?.rows.value ?? []),
    /** True if all orders are loaded. Until then, the list may lack some. */
    isComplete: computed(() => opened.value?.state.value === 'complete'),
    feedState: computed<FeedState>(() => opened.value?.feedState.value ?? { kind: 'connecting' }),
    close,
  };
}

/** Describes which items have a new status. If any are ready, names only those. */
function describeChange(before: LiveOrder, after: LiveOrder): { text: string; isReady: boolean } {
  const changed = after.items.filter(
    (item) => before.items.find(({ id }) => id === item.id)?.status !== item.status && item.status !== 'received',
  );
  const ready = changed.filter(({ status }) => status === 'ready');
  const words = orderMessages();
  if (ready.length > 0) return { text: words.readyNow(formatList(ready.map((item) => nameOf(item)))), isReady: true };
  // Staff may have taken off only some of the units.
  const partOf = (item: Item): string => (item.split_from ? `${item.quantity}× ` : '') + nameOf(item);
  const texts = changed.map((item) => words.statusNow(partOf(item), words.statuses[item.status]));
  return { text: formatList(texts), isReady: false };
}
