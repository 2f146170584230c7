import type { Client } from '@comanda/client/core';
import { ordersWith } from '@comanda/client/collections/orders';
import { computed, signal } from '@preact/signals';
import { readKeptOrders, serverTime, writeKeptOrders } from '../device/kept-orders.ts';
import { createCancellations } from './cancellations.ts';

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
