import { computed, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { LiveOrder } from '@comanda/client';
import { bumpItem, bumpTicket, undoOf, withBumps } from './bump.ts';
import type { Bump } from './bump.ts';
import type { Dropped } from './bump-queue.ts';
import { ticketOf } from './ticket.ts';
import type { Ticket } from './ticket.ts';

/** What has changed on a ticket since somebody here looked at it. */
export type Change = { kind: 'table'; from: string | null } | { kind: 'items_off'; count: number };
export type BoardCard = {
  ticket: Ticket;
  look: 'new' | 'cooking' | 'ready' | 'cancelled' | 'kept';
  changes: readonly Change[];
  /** When somebody here read the allergies, by the server's time; null if nobody has. */
  allergiesReadAtMs: number | null;
  /** The newest bump of this ticket that the server has not answered. */
  waiting: Bump | null;
};
/** A bump that may be taken back, with the time until which the button is shown. */
export type Undoable = { bump: Bump; untilMs: number };

export const undoForMs = 8_000;
const maxRecalls = 50;

export type BoardDeps = {
  newId: () => string;
  /** The server's time in milliseconds. */
  now: () => number;
  /** Hands a bump to the queue. */
  queueBump: (bump: Bump) => void;
  /** Returns false if the bump has been sent already. */
  unqueueBump: (id: string) => boolean;
};

/** What people have done here with a ticket, beside its state on the server. */
type Local = { table: string | null; offIds: ReadonlySet<number>; allergiesReadAtMs: number | null };

const isOpen = ({ status }: LiveOrder): boolean => status !== 'cancelled' && status !== 'delivered';

export type Board = ReturnType<typeof createBoard>;

/** The state of one screen: the orders of the feed with the bumps that wait, and what was read or cleared here. */
export function createBoard({ newId, now, queueBump, unqueueBump }: BoardDeps) {
  const station = signal('*');
  const orders = signal<ReadonlyMap<number, LiveOrder>>(new Map());
  /** Orders that were cancelled while they stood on this screen, until somebody clears them. */
  const cancelled = signal<ReadonlyMap<number, LiveOrder>>(new Map());
  const waiting = signal<readonly Bump[]>([]);
  const isLive = signal(false);
  const local = signal<ReadonlyMap<number, Local>>(new Map());
  const undoable = signal<Undoable | null>(null);
  const recalls = signal<readonly Bump[]>([]);
  const dropped = signal<Dropped | null>(null);

  const cards: ReadonlySignal<readonly BoardCard[]> = computed(() =>
    [...orders.value.values(), ...cancelled.value.values()]
      .toSorted((a, b) => a.created_at.localeCompare(b.created_at) || a.id - b.id)
      .flatMap((order) => cardOf(order) ?? []),
  );

  function cardOf(order: LiveOrder): BoardCard | null {
    const ofOrder = waiting.value.filter(({ orderId }) => orderId === order.id);
    const last = ofOrder.at(-1) ?? null;
    const ticket = ticketOf(withBumps(order, ofOrder), station.value);
    if (!ticket) return null;
    const { allergiesReadAtMs = null } = local.value.get(order.id) ?? {};
    const card = { ticket, changes: changesOf(order), allergiesReadAtMs, waiting: last };
    if (ticket.status === 'cancelled') return cancelled.value.has(order.id) ? { ...card, look: 'cancelled' } : null;
    // A bump that cannot be sent keeps its ticket on the board, so that everybody sees that the others do not know it.
    if (last && !isLive.value) return { ...card, look: 'kept' };
    if (ticket.status === 'delivered') return null;
    return { ...card, look: ticket.status === 'received' ? 'new' : ticket.status === 'ready' ? 'ready' : 'cooking' };
  }

  function changesOf(order: LiveOrder): Change[] {
    const before = local.value.get(order.id);
    if (!before || order.status === 'cancelled') return [];
    const off = order.items.filter(({ id, status }) => status === 'cancelled' && !before.offIds.has(id)).length;
    return [
      ...(before.table === order.table ? [] : [{ kind: 'table' as const, from: before.table }]),
      ...(off > 0 ? [{ kind: 'items_off' as const, count: off }] : []),
    ];
  }

  const localOf = ({ table, items }: LiveOrder): Local => ({
    table,
    offIds: new Set(items.filter(({ status }) => status === 'cancelled').map(({ id }) => id)),
    allergiesReadAtMs: null,
  });

  /** Answers to bumps that the feed has not brought yet. */
  const answered = new Map<number, LiveOrder>();

  /** Takes the open orders of the client's list. */
  function setOrders(list: readonly LiveOrder[]): void {
    const listed = new Set(list.map(({ id }) => id));
    for (const id of answered.keys()) if (!listed.has(id)) answered.delete(id);
    const all = list.map((order) => {
      const answer = answered.get(order.id);
      if (answer && answer.version > order.version) return answer;
      answered.delete(order.id);
      return order;
    });
    orders.value = new Map(all.filter(isOpen).map((order) => [order.id, order]));
    const fresh = all.filter(({ id }) => !local.value.has(id));
    const kept = [...local.value].filter(([id]) => orders.value.has(id) || cancelled.value.has(id));
    if (fresh.length > 0 || kept.length < local.value.size)
      local.value = new Map([...kept, ...fresh.map((order) => [order.id, localOf(order)] as const)]);
  }

  /** Takes the answer to a bump, so that the ticket does not step back until the feed brings it. */
  function setAnswered(order: LiveOrder): void {
    answered.set(order.id, order);
    setOrders([...orders.value.values()]);
  }

  /** An order that was cancelled while this screen showed it stays until somebody clears it. */
  function addCancelled(order: LiveOrder): void {
    if (local.value.has(order.id)) cancelled.value = new Map([...cancelled.value, [order.id, order]]);
  }

  function clearCancelled(id: number): void {
    cancelled.value = new Map([...cancelled.value].filter(([each]) => each !== id));
  }

  function setLocal(id: number, change: (before: Local, order: LiveOrder) => Local): void {
    const [order, before] = [orders.value.get(id), local.value.get(id)];
    if (order && before) local.value = new Map([...local.value, [id, change(before, order)]]);
  }

  /** The order as this screen shows it, and the version that goes with it. */
  function shown(orderId: number): { order: LiveOrder; version: number | null } | null {
    const order = orders.value.get(orderId);
    if (!order) return null;
    const bumps = waiting.value.filter((bump) => bump.orderId === orderId);
    return { order: withBumps(order, bumps), version: bumps.length > 0 ? null : order.version };
  }

  function commit(bump: Bump | null): void {
    if (!bump || bump.moves.length === 0) return;
    queueBump(bump);
    undoable.value = { bump, untilMs: now() + undoForMs };
    recalls.value = [bump, ...recalls.value].slice(0, maxRecalls);
  }

  return {
    station,
    cards,
    waiting,
    isLive,
    undoable,
    recalls,
    dropped,
    setOrders,
    setAnswered,
    addCancelled,
    clearCancelled,
    closeDropped: (): void => {
      dropped.value = null;
    },
    order: (id: number): LiveOrder | undefined => orders.value.get(id),
    bumpTicket: (orderId: number): void => {
      const seen = shown(orderId);
      const ticket = seen && ticketOf(seen.order, station.value);
      if (ticket) commit(bumpTicket(ticket, seen.order, { id: newId(), atMs: now(), version: seen.version }));
    },
    bumpItem: (orderId: number, itemId: number): void => {
      const seen = shown(orderId);
      if (seen) commit(bumpItem(seen.order, { itemId, id: newId(), atMs: now(), version: seen.version }));
    },
    stepItemBack: (orderId: number, itemId: number): void => {
      const seen = shown(orderId);
      if (seen) commit(bumpItem(seen.order, { itemId, back: true, id: newId(), atMs: now(), version: seen.version }));
    },
    /** Takes a bump back: from the queue if it was not sent, else by the moves back. */
    undo: (bump: Bump): void => {
      if (undoable.value?.bump.id === bump.id) undoable.value = null;
      recalls.value = recalls.value.filter(({ id }) => id !== bump.id);
      if (unqueueBump(bump.id)) return;
      queueBump(undoOf(bump, { id: newId(), atMs: now(), version: null }));
    },
    readChanges: (id: number): void =>
      setLocal(id, (before, order) => ({ ...localOf(order), allergiesReadAtMs: before.allergiesReadAtMs })),
    readAllergies: (id: number): void => setLocal(id, (before) => ({ ...before, allergiesReadAtMs: now() })),
  };
}
