import type { FeedStanding, LiveOrder } from '@comanda/client';
import { computed, effect, signal } from '@preact/signals';
import { formatList } from '@comanda/ui/format.ts';
import { fromMinor, toMinor } from '@comanda/ui/money.ts';
import { messages } from '../messages.ts';
import { announce } from './announce.ts';
import { client } from './client.ts';
import { ringBell } from './sound.ts';
import { isGuest, scanTrouble, table, who } from './seat.ts';

type Item = LiveOrder['items'][number];

const live = signal<readonly LiveOrder[]>([]);
/** Placed by this phone, as answered: shown before the feed brings them, and when it does not. */
const placed = signal<readonly LiveOrder[]>([]);
/** Since when there is no live feed, by the server's clock; null while it is live. */
export const notLiveSince = signal<number | null>(null);

export const addPlaced = (order: LiveOrder): void => {
  placed.value = [...placed.value.filter(({ id }) => id !== order.id), order];
};

/** What was ordered at a guest's table that has been closed: it stays readable until the next scan. */
export const closedBill = signal<{ table: string; orders: readonly LiveOrder[] } | null>(null);
/** Whether the orders are those of all guests of the table. */
export const isOfWholeTable = computed(() => isGuest.value || closedBill.value !== null);

/** The seating's orders for a guest, the customer's own at this table otherwise; newest first. */
export const orders = computed<readonly LiveOrder[]>(() => {
  if (closedBill.value) return closedBill.value.orders;
  const byId = new Map<number, LiveOrder>();
  for (const order of [...live.value, ...placed.value]) {
    const current = byId.get(order.id);
    if (!current || order.version > current.version) byId.set(order.id, order);
  }
  const isHere = (order: LiveOrder): boolean =>
    isGuest.value
      ? order.seating === who.value?.seating || order.placed_by.id === who.value?.userId
      : order.table === table.value;
  return [...byId.values()].filter(isHere).toSorted((a, b) => b.created_at.localeCompare(a.created_at) || b.id - a.id);
});
export const total = computed(() => fromMinor(orders.value.reduce((sum, order) => sum + toMinor(order.total), 0)));
export const isOwn = (order: LiveOrder): boolean => order.placed_by.id === who.value?.userId;

/** Ready ones first, then what is nearest to the table. */
const rank: Readonly<Record<Item['status'], number>> = {
  ready: 0,
  preparing: 1,
  received: 2,
  delivered: 3,
  cancelled: 4,
};
export const byProgress = (items: readonly Item[]): Item[] => items.toSorted((a, b) => rank[a.status] - rank[b.status]);

export const openCounts = computed(() => {
  const counts = { ready: 0, preparing: 0, received: 0, delivered: 0 };
  for (const { items } of orders.value)
    for (const { status, quantity } of items) if (status !== 'cancelled') counts[status] += quantity;
  return counts;
});

/** Says what became of the items: ready with a bell, the rest in words. */
function announceChanges(before: LiveOrder, after: LiveOrder): void {
  const changed = after.items.filter(
    (item) => before.items.find(({ id }) => id === item.id)?.status !== item.status && item.status !== 'received',
  );
  const ready = changed.filter(({ status }) => status === 'ready');
  const words = messages();
  if (ready.length > 0) {
    announce(words.readyNow(formatList(ready.map(({ name }) => name))));
    ringBell();
  } else if (changed.length > 0)
    announce(formatList(changed.map(({ name, status }) => words.statusNow(name, words.statuses[status]))));
}

/** A page that was just opened, and a short time without the feed, are not worth a word. */
const unsaidMs = 5000;
let notLiveTimer: ReturnType<typeof setTimeout> | undefined;
function applyStanding({ status }: FeedStanding): void {
  const isNotLive = status !== 'live' && status !== 'signed_out';
  if (isNotLive && notLiveTimer !== undefined) return;
  clearTimeout(notLiveTimer);
  notLiveTimer = undefined;
  if (isNotLive) {
    const since = client.now();
    notLiveTimer = setTimeout(() => (notLiveSince.value = since), unsaidMs);
  } else notLiveSince.value = null;
}

function keepClosedBill(): void {
  let bill: typeof closedBill.value = null;
  effect(() => {
    const isClosed = table.value === null && scanTrouble.value === 'ended';
    if (table.value !== null) bill = orders.value.length > 0 ? { table: table.value, orders: orders.value } : null;
    closedBill.value = isClosed ? bill : null;
  });
}

export function followOrders(): void {
  keepClosedBill();
  let close: (() => void) | null = null;
  effect(() => {
    const isAtTable = table.value !== null;
    if (isAtTable && !close) {
      const following = client.liveOrders({
        onStanding: applyStanding,
        onChange: (all, changes) => {
          live.value = all;
          for (const change of changes)
            if (change.kind === 'changed' && following.isComplete()) announceChanges(change.before, change.after);
        },
      });
      close = following.close;
    }
    if (!isAtTable && close) {
      close();
      close = null;
      live.value = [];
      placed.value = [];
      applyStanding({ status: 'signed_out' });
    }
  });
}

/** Cancels an own order that the kitchen has not begun. */
export async function cancelOrder(order: LiveOrder): Promise<void> {
  addPlaced(await client.calls.updateOrder({ id: order.id, status: 'cancelled' }));
  announce(messages().orderCancelled(order.ticket));
}
