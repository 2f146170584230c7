import { CallFailure } from '@comanda/client';
import type { Client, LiveOrder } from '@comanda/client';
import { signal } from '@preact/signals';
import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';
import type { DraftLine } from './draft.ts';
import { outboxName } from './kept-work.ts';

/** An order on its way to the kitchen, with the idempotency key that it keeps until there is an answer. */
export type Outgoing = {
  key: string;
  table: string;
  /** Null until the table's seating is known: a free table is opened first. Then it stays the same, as the key does. */
  seating: number | null;
  lines: readonly DraftLine[];
  allergies: string;
  /** By this device's clock. */
  atMs: number;
  /** Why the server refused it for good. */
  refused?: CallFailure;
  /** Nothing was heard for longer than one waits without a word. */
  isLate: boolean;
};

const lateAfterMs = 2_500;
const retryMs = 3_000;

/** The orders of this user that have no answer, over reloads too. */
function loadOutbox(userId: number): readonly Outgoing[] {
  try {
    const stored: unknown = JSON.parse(readSetting(outboxName(userId)) ?? '[]');
    return Array.isArray(stored) ? (stored as Outgoing[]) : [];
  } catch {
    return []; // not written by this app
  }
}

type Deps = {
  client: Pick<Client, 'calls' | 'newKey'>;
  userId: number;
  onPlaced: (order: LiveOrder) => void;
};

/** Sends orders one after the other, each again and again with its key until the server has answered. */
export function createOutbox({ client, userId, onPlaced }: Deps) {
  const orders = signal<readonly Outgoing[]>(loadOutbox(userId).map((each) => ({ ...each, isLate: true })));
  const state = { isSending: false, isClosed: false, attempt: new AbortController() };
  let timer: ReturnType<typeof setTimeout> | undefined;

  function set(next: readonly Outgoing[]): void {
    orders.value = next;
    const kept = next.filter(({ refused }) => !refused);
    writeSetting(outboxName(userId), kept.length === 0 ? null : JSON.stringify(kept));
  }
  const change = (key: string, part: Partial<Outgoing>): void =>
    set(orders.peek().map((each) => (each.key === key ? { ...each, ...part } : each)));
  const remove = (key: string): void => set(orders.peek().filter((each) => each.key !== key));
  const find = (key: string): Outgoing | undefined => orders.peek().find((each) => each.key === key);

  async function sendAll(): Promise<void> {
    clearTimeout(timer);
    if (state.isSending || state.isClosed) return;
    state.isSending = true;
    for (;;) {
      const next = orders.peek().find(({ refused }) => !refused);
      if (!next || state.isClosed) break;
      state.attempt = new AbortController();
      try {
        const order = await send(next, state.attempt.signal);
        remove(next.key);
        onPlaced(order);
      } catch (error) {
        if (state.attempt.signal.aborted) continue;
        if (!(error instanceof CallFailure)) throw error;
        if (isDecided(error)) change(next.key, { refused: error });
        else {
          change(next.key, { isLate: true });
          timer = setTimeout(() => void sendAll(), Math.max(retryMs, error.retryAfterMs ?? 0));
          break;
        }
      }
    }
    state.isSending = false;
  }

  async function send({ key, table, lines, allergies, ...order }: Outgoing, abort: AbortSignal): Promise<LiveOrder> {
    let { seating } = order;
    if (seating === null) {
      ({ seating } = await client.calls.openTable({ table }, { signal: abort }));
      change(key, { seating });
    }
    const body = {
      table,
      ...(seating !== null && { seating }),
      items: lines.map(({ dishId, quantity, remarks }) => ({
        item_id: dishId,
        quantity,
        ...(remarks.trim() !== '' && { remarks: remarks.trim() }),
      })),
      ...(allergies.trim() !== '' && { allergies: allergies.trim() }),
    };
    return client.calls.placeOrder(body, { idempotencyKey: key, signal: abort });
  }

  function tryNow(): void {
    state.attempt.abort();
    void sendAll();
  }
  const onOnline = (): void => tryNow();
  addEventListener('online', onOnline);
  void sendAll();
  return {
    orders,
    add: (order: Pick<Outgoing, 'table' | 'seating' | 'lines' | 'allergies'>): void => {
      const key = client.newKey();
      set([...orders.peek(), { ...order, key, atMs: Date.now(), isLate: false }]);
      setTimeout(() => find(key) && change(key, { isLate: true }), lateAfterMs);
      void sendAll();
    },
    /** Takes it out of the outbox. An earlier try may have arrived, unless the server has refused it. */
    take: (key: string): Outgoing | undefined => {
      const taken = find(key);
      remove(key);
      state.attempt.abort();
      return taken;
    },
    tryNow,
    close: (): void => {
      state.isClosed = true;
      clearTimeout(timer);
      state.attempt.abort();
      removeEventListener('online', onOnline);
    },
  };
}

/** Whether the server has decided; a session that ended decides nothing. */
const isDecided = ({ problem, outcome, code }: CallFailure): boolean =>
  problem !== undefined &&
  problem.status < 500 &&
  problem.status !== 429 &&
  problem.status !== 401 &&
  outcome !== 'unknown' &&
  code !== 'request_in_progress';
