import { effect, signal } from '@preact/signals';
import { CallFailure } from '@comanda/client';
import type { Client, FeedEvent, FeedStanding, LiveOrder } from '@comanda/client';
import { playSound } from '../device/sounds.ts';
import { messages } from '../messages.ts';
import { createBoard } from '../model/board.ts';
import { createBumpQueue } from '../model/bump-queue.ts';
import type { Bump } from '../model/bump.ts';
import { sendBump } from '../model/send-bump.ts';
import { allStations } from '../model/ticket.ts';
import { station } from '../settings.ts';

const openStatuses = ['received', 'preparing', 'ready'] as const;
/** A feed that nobody has heard for so long is not live, whatever it last said. It says something every 15 s. */
const silentAfterMs = 20_000;
const announceAfterMs = 1_500;
const repeatNewMs = 10_000;
const repeatLostMs = 5_000;
const bumpsKey = 'comanda.kitchen.bumps';

export type FeedState =
  | { kind: 'connecting' }
  | { kind: 'live'; sinceMs: number }
  | { kind: 'catching_up' }
  /** `stalled`: the server is there, but hears of no orders. */
  | { kind: 'not_live'; sinceMs: number; why: 'lost' | 'stalled' };

export type BoardSession = ReturnType<typeof openBoardSession>;

/** One screen of the kitchen at work: the client's feed, the board, its bumps, its sounds and its reports of seen orders. */
export function openBoardSession(client: Client, device: string) {
  const feedState = signal<FeedState>({ kind: 'connecting' });
  /** The server's time, once a second. */
  const now = signal(Date.now());
  /** How far the clock of this device is from the server's. */
  const clockOffsetMs = signal(0);
  const isComplete = signal(false);
  const caughtUp = signal(0);
  /** For screen readers: new orders, several at once, not one by one. */
  const announcement = signal('');
  let newOrders = 0;
  const untouched = new Set<number>();
  let heardAt = performance.now();

  const queue = createBumpQueue({
    send: (bump) => sendBump(client.calls, bump, client.who()?.userId ?? 0),
    load: loadBumps,
    save: saveBumps,
    onChange: (waiting) => (board.waiting.value = waiting),
    onMade: (order) => board.setAnswered(order),
    onDropped: (dropped) => (board.dropped.value = dropped),
  });
  const board = createBoard({
    newId: () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`,
    now: () => now.value,
    queueBump: queue.add,
    unqueueBump: queue.remove,
  });
  board.waiting.value = queue.waiting();
  const followStation = effect(() => {
    board.station.value = station.value;
  });

  const live = client.liveOrders({
    statuses: openStatuses,
    onChange: (all) => {
      board.setOrders(all);
      isComplete.value = live.isComplete();
    },
    onEvent,
    onStanding: onStanding,
  });

  const isMine = (items: LiveOrder['items']): boolean =>
    station.value === allStations || items.some((item) => item.station === station.value);

  function onEvent(event: FeedEvent): void {
    heardAt = performance.now();
    if (!('order' in event.data)) return;
    const { order } = event.data;
    if (feedState.value.kind === 'catching_up') caughtUp.value += event.type === 'order.created' ? 1 : 0;
    if (!isMine(order.items)) return;
    if (order.status === 'cancelled') board.addCancelled({ ...order, allowed_transitions: [] });
    if (feedState.value.kind !== 'live') return;
    if (event.type === 'order.created') {
      untouched.add(order.id);
      newOrders += 1;
      setTimeout(announce, announceAfterMs);
      newSoundAt = performance.now();
      playSound('new');
    } else if (isByOthers(event)) playSound(event.data.to === 'cancelled' ? 'changed' : 'ready');
    else if (event.type === 'order.table_changed') playSound('changed');
    if (order.status !== 'received') untouched.delete(order.id);
  }
  function isByOthers(event: FeedEvent): event is Extract<FeedEvent, { type: 'order.status_changed' }> {
    if (event.type !== 'order.status_changed') return false;
    const { to, actor } = event.data;
    return (to === 'cancelled' || to === 'ready') && actor.id !== client.who()?.userId;
  }

  function announce(): void {
    if (newOrders > 0) announcement.value = messages().feed.newOrders(newOrders);
    newOrders = 0;
  }

  function onStanding({ status, since }: FeedStanding): void {
    heardAt = performance.now();
    setNow();
    const before = feedState.value;
    if (status === 'live') {
      if (before.kind !== 'live') feedState.value = { kind: 'live', sinceMs: now.value };
      if (before.kind === 'not_live' || before.kind === 'catching_up') playSound('caughtUp');
      queue.retry();
    } else if (status === 'replaying' || status === 'gap') {
      if (before.kind !== 'catching_up') caughtUp.value = 0;
      feedState.value = { kind: 'catching_up' };
    } else if (status === 'stalled') lose('stalled', since === undefined ? now.value : Date.parse(since));
    else lose('lost', now.value);
  }
  function lose(why: 'lost' | 'stalled', sinceMs: number): void {
    const before = feedState.value;
    if (before.kind === 'connecting' && why === 'lost') return;
    feedState.value = { kind: 'not_live', why, sinceMs: before.kind === 'not_live' ? before.sinceMs : sinceMs };
  }

  let newSoundAt = 0;
  let lostSoundAt = 0;
  const startedAt = performance.now();
  const setNow = (): void => {
    now.value = live.feed.now();
    clockOffsetMs.value = now.value - Date.now();
  };
  const timer = setInterval(() => {
    setNow();
    const at = performance.now();
    const { kind } = feedState.value;
    if (kind === 'live' && at - heardAt > silentAfterMs) lose('lost', now.value - (at - heardAt));
    if (kind === 'connecting' && at - startedAt > silentAfterMs / 4)
      feedState.value = { kind: 'not_live', why: 'lost', sinceMs: now.value - (at - startedAt) };
    if (kind === 'not_live' && at - lostSoundAt >= repeatLostMs) {
      lostSoundAt = at;
      playSound('lost');
    }
    if (kind === 'live' && untouched.size > 0 && at - newSoundAt >= repeatNewMs) {
      newSoundAt = at;
      playSound('new');
    }
  }, 1_000);
  const followLive = effect(() => {
    board.isLive.value = feedState.value.kind === 'live' || feedState.value.kind === 'catching_up';
  });

  /** Orders that were painted and not yet reported. */
  const toReport = new Set<number>();
  const reported = new Set<number>();
  let reporting = false;
  function reportPainted(ids: readonly number[]): void {
    for (const id of ids) if (!reported.has(id)) toReport.add(id);
    if (toReport.size > 0 && !reporting) void report();
  }
  async function report(): Promise<void> {
    reporting = true;
    const ids = [...toReport].slice(0, 100);
    try {
      await client.calls.markSeen({ order_ids: ids, device });
      for (const id of ids) {
        toReport.delete(id);
        reported.add(id);
      }
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error; // painted again: reported again
    } finally {
      reporting = false;
    }
  }

  return {
    board,
    feedState,
    now,
    clockOffsetMs,
    isComplete,
    caughtUp,
    announcement,
    retry: queue.retry,
    reportPainted,
    /** Somebody has looked: the sound of new orders stops. */
    touch: (): void => untouched.clear(),
    close: (): void => {
      clearInterval(timer);
      followStation();
      followLive();
      queue.close();
      live.close();
    },
  };
}

function loadBumps(): readonly Bump[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(bumpsKey) ?? '[]');
    return Array.isArray(stored) ? (stored as Bump[]) : [];
  } catch {
    return []; // no storage, or not written by this app
  }
}
function saveBumps(bumps: readonly Bump[]): void {
  try {
    localStorage.setItem(bumpsKey, JSON.stringify(bumps));
  } catch {
    // The device's storage is full or refused: the bumps are kept until the page is closed.
  }
}
