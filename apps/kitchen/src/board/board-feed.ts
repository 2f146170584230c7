import type { ChangeSource, Client, FeedState, LiveOrder } from '@comanda/client';
import { signal } from '@preact/signals';
import { createCancellations } from './cancellations.ts';

/** Cancelled orders too: a ticket that was cancelled while the feed was not live must say so. */
const listed = ['received', 'preparing', 'ready', 'cancelled'] as const;

/** What comes from the server: the orders, the state of the feed, who cancelled, the time. */
export function openBoardFeed(client: Client) {
  const state = signal<FeedState>({ kind: 'connecting' });
  const orders = signal<{ all: readonly LiveOrder[]; source: ChangeSource } | null>(null);
  /** Whether the orders were read at least once, be it before the feed was live. */
  const isRead = signal(false);
  /** The server's time, once a second. */
  const now = signal(client.now());
  /** How far the clock of this device is from the server's. */
  const clockOffsetMs = signal(0);
  const { cancellations, takeEvent } = createCancellations(client);
  function readClock(): void {
    now.value = client.now();
    clockOffsetMs.value = now.value - Date.now();
  }
  const live = client.liveOrders({
    statuses: listed,
    onChange: (all, _changes, source) => {
      orders.value = { all, source };
      isRead.value ||= source === 'server';
    },
    onEvent: takeEvent,
    onState: (next) => {
      readClock();
      state.value = next;
    },
  });
  const timer = setInterval(readClock, 1_000);
  return {
    state,
    orders,
    isRead,
    now,
    clockOffsetMs,
    cancellations,
    apply: live.apply,
    isComplete: live.isComplete,
    close: (): void => {
      clearInterval(timer);
      live.close();
    },
  };
}
