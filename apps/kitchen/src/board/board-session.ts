import { effect, signal } from '@preact/signals';
import { CallFailure } from '@comanda/client';
import type { Client, FeedEvent, FeedStanding } from '@comanda/client';
import { loadBumps, saveBumps } from '../device/bump-storage.ts';
import { playSound } from '../device/sounds.ts';
import { messages } from '../messages.ts';
import { createBoard } from '../model/board.ts';
import type { Difference } from '../model/board.ts';
import { createBumpQueue } from '../model/bump-queue.ts';
import { sendBump, tagOf } from '../model/send-bump.ts';
import type { Ticket } from '../model/ticket.ts';
import { station } from '../settings.ts';

/** Cancelled orders too: a ticket that was cancelled while nothing was heard must say so. */
const listed = ['received', 'preparing', 'ready', 'cancelled'] as const;
/** A connection that is back so soon is not worth a red bar. */
const notLiveAfterMs = 3_000;
const announceAfterMs = 1_500;
const repeatNewMs = 10_000;
const repeatLostMs = 5_000;

export type FeedState =
  | { kind: 'connecting' }
  | { kind: 'live'; sinceMs: number }
  /** How many events are still to come, at most. */
  | { kind: 'catching_up'; count: number }
  /** `stalled`: the server is there, but hears of no orders. */
  | { kind: 'not_live'; sinceMs: number; why: 'lost' | 'stalled' };

export type BoardSession = ReturnType<typeof openBoardSession>;

/** One screen of the kitchen at work: the client's feed, the board, its bumps, its sounds and its reports of seen orders. */
export function openBoardSession(client: Client, device: string) {
  const userId = client.who()?.userId ?? 0;
  const feedState = signal<FeedState>({ kind: 'connecting' });
  /** The server's time, once a second. */
  const now = signal(client.now());
  /** How far the clock of this device is from the server's. */
  const clockOffsetMs = signal(0);
  /** Whether the orders were read at least once, be it before the feed was live. */
  const isRead = signal(false);
  /** Orders that came while this page was open, until somebody touches the screen. */
  const untouched = signal<ReadonlySet<number>>(new Set());
  /** For screen readers: new orders, several at once, not one by one. */
  const announcement = signal('');
  let newOrders = 0;

  const queue = createBumpQueue({
    send: (bump) => sendBump(client.calls, bump, userId),
    load: () => loadBumps(userId),
    save: (bumps) => saveBumps(userId, bumps),
    onChange: (waiting) => (board.waiting.value = waiting),
    onMade: (order) => board.setAnswered(order),
    onDropped: (dropped) => board.setDropped(dropped),
  });
  const board = createBoard({
    newId: client.newKey,
    now: () => now.value,
    queueBump: queue.add,
    unqueueBump: queue.remove,
  });
  board.waiting.value = queue.waiting();
  const seen = client.seenReporter({ device });

  const live = client.liveOrders({
    statuses: listed,
    onChange: (all) => {
      const difference = board.setOrders(all);
      if (wasComplete) alertUsers(difference);
      wasComplete ||= live.isComplete();
      isRead.value = true;
    },
    onEvent,
    onStanding,
  });
  /** What comes with the first list is not new. */
  let wasComplete = false;

  const stopEffects = [
    effect(() => {
      board.station.value = station.value;
    }),
    effect(() => {
      board.isLive.value = feedState.value.kind === 'live' || feedState.value.kind === 'catching_up';
    }),
  ];

  /** Who cancelled is not in the order. The event has the role; names are in the history only. */
  function onEvent({ type, data, time }: FeedEvent): void {
    if (type !== 'order.status_changed' || data.to !== 'cancelled') return;
    const { id } = data.order;
    const reason = data.reason === undefined ? {} : { reason: data.reason };
    board.setCancellation(id, { by: messages().roles[data.actor.role], at: time, ...reason });
    void setCancelledBy(id, { at: time, ...reason });
  }
  async function setCancelledBy(id: number, cancellation: { at: string; reason?: string }): Promise<void> {
    try {
      const history = await client.calls.getOrderHistory({ id });
      const by = history.findLast(({ to, item_id: item }) => to === 'cancelled' && item === undefined)?.actor.name;
      if (by !== undefined) board.setCancellation(id, { by, ...cancellation });
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure; // the role stays
    }
  }

  function alertUsers({ added, ready, changed }: Difference): void {
    if (added.length > 0) {
      untouched.value = new Set([...untouched.value, ...added]);
      if (newOrders === 0) setTimeout(announce, announceAfterMs);
      newOrders += added.length;
    }
    if (feedState.value.kind === 'catching_up') return; // one sound at the end
    if (added.length > 0) playNew();
    if (changed.length > 0) playSound('changed');
    if (ready.length > 0) playSound('ready');
  }
  function playNew(): void {
    newSoundAt = performance.now();
    playSound('new');
  }
  function announce(): void {
    announcement.value = messages().feed.newOrders(newOrders);
    newOrders = 0;
  }

  function onStanding(standing: FeedStanding): void {
    setNow();
    // Somebody else set the password of this user: the sign-in leads to the form that changes it.
    if (standing.status === 'refused' && standing.reason === 'password_change_required') void client.signOut();
    setFeedState(standing);
  }
  function setFeedState(standing: FeedStanding): void {
    const { status, since, behind = 0 } = standing;
    const before = feedState.value;
    const sinceMs = since === undefined ? now.value : Date.parse(since);
    if (status === 'live') {
      if (before.kind === 'live') return;
      feedState.value = { kind: 'live', sinceMs: now.value };
      if (before.kind === 'not_live' || before.kind === 'catching_up') playSound('caughtUp');
      queue.retry();
    } else if (status === 'replaying' || status === 'gap') {
      if (before.kind !== 'catching_up' || before.count !== behind)
        feedState.value = { kind: 'catching_up', count: behind };
    } else if (status === 'stalled') setNotLive('stalled', sinceMs);
    else if (before.kind === 'not_live' || now.value - sinceMs >= notLiveAfterMs) setNotLive('lost', sinceMs);
    else if (before.kind !== 'connecting') feedState.value = { kind: 'connecting' };
  }
  function setNotLive(why: 'lost' | 'stalled', sinceMs: number): void {
    const before = feedState.value;
    if (before.kind === 'not_live' && before.why === why && before.sinceMs === sinceMs) return;
    feedState.value = { kind: 'not_live', why, sinceMs };
  }

  let newSoundAt = 0;
  let lostSoundAt = 0;
  function setNow(): void {
    now.value = live.feed.now();
    clockOffsetMs.value = now.value - Date.now();
  }
  const timer = setInterval(() => {
    setNow();
    setFeedState(live.feed.standing());
    const at = performance.now();
    const { kind } = feedState.value;
    if (kind === 'not_live' && at - lostSoundAt >= repeatLostMs) {
      lostSoundAt = at;
      playSound('lost');
    }
    if (untouched.value.size > 0 && kind !== 'catching_up' && at - newSoundAt >= repeatNewMs) playNew();
  }, 1_000);

  /** Makes a request from the back of a ticket: for the order as the person sees it, or not at all. */
  async function request(ticket: Ticket, itemId: number | null): Promise<void> {
    const { id } = ticket;
    const ifMatch = tagOf(id, board.versionOf(id) ?? ticket.version);
    const cancelled = { id, status: 'cancelled' as const };
    try {
      board.setAnswered(
        itemId === null
          ? await client.calls.updateOrder(cancelled, { ifMatch })
          : await client.calls.updateOrderItem({ ...cancelled, item_id: itemId }, { ifMatch }),
      );
    } catch (failure) {
      if (!(failure instanceof CallFailure)) throw failure;
      board.notice.value = { kind: 'failed', ticket, failure };
    }
  }

  return {
    board,
    feedState,
    now,
    clockOffsetMs,
    isRead,
    untouched,
    announcement,
    retry: queue.retry,
    reportPainted: seen.painted,
    cancelOrder: (ticket: Ticket): Promise<void> => request(ticket, null),
    cancelItem: request as (ticket: Ticket, itemId: number) => Promise<void>,
    /** Somebody has looked: the sound of new orders stops. */
    touch: (): void => {
      if (untouched.value.size > 0) untouched.value = new Set();
    },
    close: (): void => {
      clearInterval(timer);
      for (const stop of stopEffects) stop();
      queue.close();
      seen.close();
      live.close();
    },
  };
}
