import { CallFailure } from '@comanda/client';
import type { Input, LiveOrder } from '@comanda/client';
import { batch, signal } from '@preact/signals';
import { formatList } from '@comanda/ui/format.ts';
import { failureWords } from '@comanda/ui/failure-words.ts';
import type { FailureWords } from '@comanda/ui/failure-words.ts';
import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';
import { messages } from '../messages.ts';
import { allergies, basket, clearBasket, putBack, sumOf, toOrder } from './basket.ts';
import type { Line } from './basket.ts';
import { attempts, client } from './client.ts';
import { readOrdering } from './menu.ts';
import { addPlaced } from './orders.ts';
import { table } from './seat.ts';

/** An order on its way: what was chosen, and the idempotency key that it keeps until there is an answer. */
export type Outgoing = {
  key: string;
  userId: number;
  table: string;
  lines: readonly Line[];
  allergies: string;
  order: Input<'placeOrder'>;
  sum: string;
  /** By the server's clock. */
  at: number;
};

export const outgoing = signal<Outgoing | null>(null);
/** It took longer than a guest waits without a word. */
export const isLate = signal(false);
export const refusal = signal<FailureWords | null>(null);
/** The order that was placed last, and what it cost when it was sent. */
export const lastSent = signal<{ id: number; shownSum: string } | null>(null);
/** What the guest stopped. An earlier try may have arrived all the same. */
export const stopped = signal<Outgoing | null>(null);

const lateAfterMs = 2500;
const pauseMs = 1500;
let stopAttempt = new AbortController();
let lateTimer: ReturnType<typeof setTimeout> | undefined;

function setOutgoing(next: Outgoing | null): void {
  outgoing.value = next;
  writeSetting('outgoing', next && JSON.stringify(next));
  clearTimeout(lateTimer);
  isLate.value = false;
  if (next) lateTimer = setTimeout(() => (isLate.value = true), lateAfterMs);
}

/** Sends the basket. A second tap finds it empty, and does nothing. */
export function sendBasket(): void {
  const userId = client.who()?.userId;
  const { lines } = basket.value;
  if (outgoing.value || lines.length === 0 || userId === undefined || table.value === null) return;
  const order = toOrder(lines);
  batch(() => {
    refusal.value = null;
    stopped.value = null;
    attempts.value = { count: 0, lastAt: client.now() };
    setOutgoing({
      key: client.newKey(),
      userId,
      table: table.value ?? '',
      lines,
      allergies: allergies.value,
      order,
      sum: sumOf(lines),
      at: client.now(),
    });
    clearBasket();
  });
  void deliver();
}

/** Continues after a reload. */
export function resumeSending(): void {
  try {
    const stored = JSON.parse(readSetting('outgoing') ?? 'null') as Outgoing | null;
    if (!stored) return;
    // Of the tries before the reload, at least one may have arrived.
    attempts.value = { count: 1, lastAt: stored.at };
    setOutgoing(stored);
    void deliver();
  } catch {
    writeSetting('outgoing', null);
  }
}

/** Tries until there is an answer, always with the same key. */
async function deliver(): Promise<void> {
  const mine = outgoing.value;
  if (!mine) return;
  const isWanted = (): boolean => outgoing.value?.key === mine.key;
  while (isWanted()) {
    if (client.who()?.userId !== mine.userId) return giveBack(mine, { ...messages().refused.endedUnsure });
    try {
      stopAttempt = new AbortController();
      const order = await client.calls.placeOrder(mine.order, { idempotencyKey: mine.key, signal: stopAttempt.signal });
      if (isWanted()) accept(mine, order);
      return;
    } catch (error) {
      // "Try now" and "Stop" end an attempt; the loop's condition tells which.
      if (stopAttempt.signal.aborted) continue;
      if (!(error instanceof CallFailure)) throw error;
      if (!isUndecided(error)) return giveBack(mine, wordsOfRefusal(error));
      isLate.value = true;
      await pause(Math.max(pauseMs, error.retryAfterMs ?? 0));
    }
  }
}

const undecided: ReadonlySet<string> = new Set([
  'unreachable',
  'service_unavailable',
  'bad_gateway',
  'gateway_timeout',
  'request_in_progress',
  'rate_limited',
]);
const isUndecided = ({ code, outcome }: CallFailure): boolean => undecided.has(code) || outcome === 'unknown';

let endPause: () => void = () => {};
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    endPause = () => {
      clearTimeout(timer);
      resolve();
    };
  });

export function tryNow(): void {
  stopAttempt.abort();
  endPause();
}
addEventListener('online', tryNow);

function accept(mine: Outgoing, order: LiveOrder): void {
  batch(() => {
    addPlaced(order);
    lastSent.value = { id: order.id, shownSum: mine.sum };
    setOutgoing(null);
  });
}
function giveBack(mine: Outgoing, words: FailureWords): void {
  batch(() => {
    putBack(mine);
    refusal.value = words;
    setOutgoing(null);
  });
}
/** Ends the tries. What was chosen is back in the basket. */
export function stopSending(): void {
  const mine = outgoing.value;
  if (!mine) return;
  batch(() => {
    stopped.value = mine;
    putBack(mine);
    setOutgoing(null);
  });
  tryNow();
}

/** An order of this phone that has just what the stopped one had: an earlier try arrived after all. */
export function findArrived(orders: readonly LiveOrder[], mine: Outgoing): LiveOrder | undefined {
  const wanted = mine.lines.map(({ dishId, quantity, remarks }) => `${dishId} ${quantity} ${remarks.trim()}`).join('|');
  // Without any answer of the server it was this device's clock, which may be wrong by some minutes.
  const from = mine.at - 5 * 60_000;
  return orders.find(
    (order) =>
      order.placed_by.id === mine.userId &&
      Date.parse(order.created_at) > from &&
      order.items.map((item) => `${item.item_id} ${item.quantity} ${item.remarks}`).join('|') === wanted,
  );
}

function wordsOfRefusal(error: CallFailure): FailureWords {
  const words = messages().refused;
  const requestId = error.problem?.request_id;
  const withId = (text: { happened: string; toDo: string }): FailureWords => ({
    ...text,
    ...(requestId !== undefined && { requestId }),
  });
  const { code } = error;
  if (code === 'menu_item_unavailable') {
    const items = (error.problem?.['items'] ?? []) as { name: string }[];
    return withId(words.menu_item_unavailable(formatList(items.map(({ name }) => name))));
  }
  if (code === 'ordering_paused') {
    void readOrdering();
    return withId({ happened: messages().paused, toDo: messages().pausedHint });
  }
  if (code === 'menu_item_unknown' || code === 'seating_full' || code === 'table_mismatch') return withId(words[code]);
  // An earlier try may have arrived.
  if (code === 'authentication_required' || code === 'invalid_token')
    return withId(attempts.value.count > 1 ? words.endedUnsure : words.ended);
  return failureWords(error);
}
