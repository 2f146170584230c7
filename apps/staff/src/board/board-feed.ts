import type { ChangeSource, Client, FeedState, LiveOrder } from '@comanda/client';
import { signal } from '@preact/signals';
import { readKeptOrders, serverTime, writeKeptOrders } from '../device/kept-orders.ts';
import { createCancellations } from './cancellations.ts';

/** Cancelled orders too: a ticket that was cancelled while the feed was not live must say so. */
const listed = ['received', 'preparing', 'ready', 'cancelled'] as const;

const keepEveryMs = 5_000;

/** What comes from the server: the orders, the state of the feed, who cancelled, the time. */
export function openBoardFeed(client: Client) {
  const userId = client.who()?.userId ?? 0;
  const kept = readKeptOrders(userId, client.now());
  const state = signal<FeedState>({ kind: 'connecting' });
  const orders = signal<{ all: readonly LiveOrder[]; source: ChangeSource } | null>(null);
  /** Whether the orders were read since the last gap, be it before the feed was live. Until then there may be others. */
  const isRead = signal(false);
  /** When the tickets were as they are shown, if that was before this page was opened; null when they are the server's. */
  const knownAtMs = signal<number | null>(null);
  /** Whether events arrive, be the orders read or not. */
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
  const live = client.liveOrders({
    statuses: listed,
    ...(kept && { known: kept.orders }),
    onChange: (all, _changes, source) => {
      orders.value = { all, source };
      isServerHeard ||= source === 'server';
      isRead.value = live.isRead();
      knownAtMs.value = source === 'known' && kept ? kept.atMs : isRead.value ? null : knownAtMs.value;
    },
    onEvent: takeEvent,
    onStanding: ({ status }) => (isFeedLive.value = status === 'live'),
    onState: (next) => {
      readClock();
      state.value = next;
    },
  });
  const timer = setInterval(readClock, 1_000);
  /** So that the board opens without a network. */
  function keep(): void {
    if (state.value.kind === 'live' && live.isComplete() && client.who()?.userId === userId)
      writeKeptOrders(userId, { atMs: client.now(), offsetMs: client.now() - Date.now(), orders: live.all() });
  }
  const keepTimer = setInterval(keep, keepEveryMs);
  addEventListener('pagehide', keep);
  return {
    state,
    orders,
    isRead,
    isFeedLive,
    knownAtMs,
    now,
    clockOffsetMs,
    cancellations,
    apply: live.apply,
    isComplete: live.isComplete,
    close: (): void => {
      clearInterval(timer);
      clearInterval(keepTimer);
      removeEventListener('pagehide', keep);
      live.close();
    },
  };
}
