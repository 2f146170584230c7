import { CallFailure, type Client, type FeedEvent } from '@comanda/client/core';
import { ordersWith } from '@comanda/client/collections/orders';
import { computed, signal } from '@preact/signals';
import { readKeptOrders, serverTime, writeKeptOrders } from '../device/kept-orders.ts';
import { findLast } from '@comanda/contracts/collections';
import type { Cancellation } from './card.ts';

/** Includes cancelled orders, so that the board shows a cancellation even if the feed was not live at the time. */
const listed = ordersWith(['received', 'preparing', 'ready', 'cancelled']);

const keepEveryMs = 5_000;

/** Follows the board's data from the server: the orders, the feed's state, who cancelled, and the time. */
export function openBoardFeed(client: Client) {
  const userId = client.who()?.userId ?? 0;
  const kept = readKeptOrders(userId, client.now());
  /** True while events arrive, even if the orders aren't loaded yet. */
  const isFeedLive = signal(false);
  let isServerHeard = false;
  const serverNow = (): number => (kept && !isServerHeard ? serverTime(kept, client.now()) : client.now());
  /** The server's time in milliseconds, updated every second. */
  const now = signal(serverNow());
  /** How far the server's clock is ahead of this device's, in milliseconds. */
  const clockOffsetMs = signal(0);
  const { cancellations, takeEvent } = createCancellations(client);
  function readClock(): void {
    now.value = serverNow();
    clockOffsetMs.value = now.value - Date.now();
  }
  const list = client.collection(listed, {
    known: kept?.orders,
    onEvent: takeEvent,
    onStanding: ({ status }) => (isFeedLive.value = status === 'live'),
    onState: readClock,
  });
  list.onChange(({ source }) => (isServerHeard ||= source === 'server'));
  const timer = setInterval(readClock, 1_000);
  /** Stores the orders on this device, so that the board can open without a network. */
  function keep(): void {
    if (list.feedState.value.kind === 'live' && list.state.value === 'complete' && client.who()?.userId === userId)
      writeKeptOrders(userId, { atMs: client.now(), offsetMs: client.now() - Date.now(), orders: list.rows.value });
  }
  const keepTimer = setInterval(keep, keepEveryMs);
  addEventListener('pagehide', keep);
  return {
    list,
    isFeedLive,
    /**
     * When the shown tickets were stored, in milliseconds, if they come from this device's storage; null if the server has sent
     * them.
     */
    knownAtMs: computed(() => (kept && list.loadedAtMs.value === 0 ? kept.atMs : null)),
    now,
    clockOffsetMs,
    cancellations,
    close: (): void => {
      clearInterval(timer);
      clearInterval(keepTimer);
      removeEventListener('pagehide', keep);
      list.close();
    },
  };
}

const maxKept = 50;

/**
 * Finds out who cancelled each order. The order itself doesn't say: the event has the user's role, and only the order's history
 * has the name.
 */
function createCancellations({ calls }: Pick<Client, 'calls'>) {
  const cancellations = signal<ReadonlyMap<number, Cancellation>>(new Map());
  function set(id: number, cancellation: Cancellation): void {
    const kept = [...cancellations.peek()].slice(-maxKept);
    cancellations.value = new Map([...kept, [id, cancellation]]);
  }
  async function setName(id: number, cancellation: Cancellation): Promise<void> {
    try {
      const history = await calls.getOrderHistory({ id });
      const isWhole = ({ to, item_id: item }: (typeof history)[number]) => to === 'cancelled' && item === undefined;
      const name = findLast(history, isWhole)?.actor.name;
      if (name !== undefined) set(id, { ...cancellation, name });
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure; // the user's role is shown instead of the name
    }
  }
  return {
    /** The cancellations by order id. */
    cancellations,
    takeEvent: ({ type, data, time }: FeedEvent): void => {
      if (type !== 'order.status_changed' || data.to !== 'cancelled') return;
      const { id } = data.order;
      const reason = data.reason !== undefined && { reason: data.reason };
      const cancellation = { role: data.actor.role, at: time, ...reason };
      set(id, cancellation);
      void setName(id, cancellation);
    },
  };
}
