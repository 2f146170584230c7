import type { Client } from '@comanda/client/core';
import { ordersWith } from '@comanda/client/collections/orders';
import { computed, signal } from '@preact/signals';
import { readKeptOrders, serverTime, writeKeptOrders } from '../device/kept-orders.ts';
import { createCancellations } from './cancellations.ts';

/** Cancelled orders too: a ticket that was cancelled while the feed was not live must say so. */
const listed = ordersWith(['received', 'preparing', 'ready', 'cancelled']);

const keepEveryMs = 5_000;

/** What comes from the server: the orders, the state of the feed, who cancelled, the time. */
export function openBoardFeed(client: Client) {
  const userId = client.who()?.userId ?? 0;
  const kept = readKeptOrders(userId, client.now());
  /** True if events arrive, even if the orders are not loaded. */
  const isFeedLive = signal(false);
  let isServerHeard = false;
  const serverNow = (): number => (kept && !isServerHeard ? serverTime(kept, client.now()) : client.now());
  /** The server's time, once a second. */
  const now = signal(serverNow());
  /** How far the clock of this device is from the server's. */
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
  /** So that the board opens without a network. */
  function keep(): void {
    if (list.feedState.value.kind === 'live' && list.state.value === 'complete' && client.who()?.userId === userId)
      writeKeptOrders(userId, { atMs: client.now(), offsetMs: client.now() - Date.now(), orders: list.rows.value });
  }
  const keepTimer = setInterval(keep, keepEveryMs);
  addEventListener('pagehide', keep);
  return {
    list,
    isFeedLive,
    /** The time of the tickets that are shown, if they are from before this page was opened; null if they are the server's. */
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
