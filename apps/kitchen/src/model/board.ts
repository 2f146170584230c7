import { computed, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { CallFailure, LiveOrder } from '@comanda/client';
import { bumpItem, bumpTicket, undoOf, withBumps } from './bump.ts';
import type { Bump } from './bump.ts';
import type { Dropped } from './bump-queue.ts';
import { ticketOf } from './ticket.ts';
import type { Ticket } from './ticket.ts';

/** What has changed on a ticket since somebody here looked at it. */
export type Change = { kind: 'table'; from: string | null } | { kind: 'items_off'; count: number };
/** Who cancelled an order, and when and why. */
export type Cancellation = {
  by: string;
  at: string;
  reason?: string;
};
export type BoardCard = {
  ticket: Ticket;
  look: 'new' | 'cooking' | 'ready' | 'cancelled' | 'kept';
  changes: readonly Change[];
  /** When somebody here read the allergies, by the server's time; null if nobody has. */
  allergiesReadAtMs: number | null;
  /** The newest bump of this ticket that the server has not answered. */
  waiting: Bump | null;
  /** Of a cancelled ticket, if the feed told. */
  cancellation: Cancellation | null;
};
/** How the cards differ after other people's changes: ids of orders. */
export type Difference = { added: number[]; ready: number[]; changed: number[] };
/** A bump that may be taken back, with the time until which the button is shown. */
export type Undoable = { bump: Bump; untilMs: number };
/** A request from the back of a ticket that failed. */
export type FailedRequest = { kind: 'failed'; ticket: Ticket; failure: CallFailure };

const undoForMs = 8_000;
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
/** What a card is made of. As long as these are the same, the card is the same object, and is not painted again. */
type Parts = {
  order: LiveOrder;
  local: Local | undefined;
  last: Bump | null;
  isLive: boolean;
  station: string;
  cancellation: Cancellation | null;
};

const isOpen = ({ status }: LiveOrder): boolean => status !== 'cancelled' && status !== 'delivered';

/** The state of one screen: the orders of the feed with the bumps that wait, and what was read or cleared here. */
export function createBoard({ newId, now, queueBump, unqueueBump }: BoardDeps) {
  const station = signal('*');
  /** Open orders, and those that were cancelled while they stood here and that nobody has cleared. */
  const orders = signal<ReadonlyMap<number, LiveOrder>>(new Map());
  const cancellations = signal<ReadonlyMap<number, Cancellation>>(new Map());
  const waiting = signal<readonly Bump[]>([]);
  const isLive = signal(false);
  const local = signal<ReadonlyMap<number, Local>>(new Map());
  const undoable = signal<Undoable | null>(null);
  const recalls = signal<readonly Bump[]>([]);
  const notice = signal<Dropped | FailedRequest | null>(null);

  let made = new Map<number, { parts: Parts; card: BoardCard | null }>();
  const cards: ReadonlySignal<readonly BoardCard[]> = computed(() => {
    const madeNow: typeof made = new Map();
    for (const order of orders.value.values()) {
      const parts = partsOf(order);
      const before = made.get(order.id);
      const isSame = before && keys.every((key) => before.parts[key] === parts[key]);
      madeNow.set(order.id, isSame ? before : { parts, card: cardOf(parts) });
    }
    made = madeNow;
    return [...madeNow.values()].flatMap(({ card }) => card ?? []);
  });

  const keys = ['order', 'local', 'last', 'isLive', 'station', 'cancellation'] as const;
  const partsOf = (order: LiveOrder): Parts => ({
    order,
    local: local.value.get(order.id),
    last: waiting.value.findLast(({ orderId }) => orderId === order.id) ?? null,
    isLive: isLive.value,
    station: station.value,
    cancellation: cancellations.value.get(order.id) ?? null,
  });

  function cardOf({ order, local: before, last, cancellation, ...parts }: Parts): BoardCard | null {
    const ticket = ticketOf(withBumps(order, waiting.peek()), parts.station);
    if (!ticket) return null;
    const changes = changesOf(ticket, before);
    const { allergiesReadAtMs = null } = before ?? {};
    const card = { ticket, changes, allergiesReadAtMs, waiting: last, cancellation };
    if (ticket.status === 'cancelled')
      return changes.some(({ kind }) => kind === 'items_off') ? { ...card, look: 'cancelled' } : null;
    // A bump that cannot be sent keeps its ticket on the board, so that everybody sees that the others do not know it.
    if (last && !parts.isLive) return { ...card, look: 'kept' };
    if (ticket.status === 'delivered') return null;
    return { ...card, look: ticket.status === 'received' ? 'new' : ticket.status === 'ready' ? 'ready' : 'cooking' };
  }

  function changesOf(ticket: Ticket, before: Local | undefined): Change[] {
    if (!before) return [];
    const off = ticket.items.filter(({ id, status }) => status === 'cancelled' && !before.offIds.has(id)).length;
    return [
      ...(before.table === ticket.table ? [] : [{ kind: 'table' as const, from: before.table }]),
      ...(off > 0 ? [{ kind: 'items_off' as const, count: off }] : []),
    ];
  }

  const localOf = ({ table, items }: LiveOrder): Local => ({
    table,
    offIds: new Set(items.filter(({ status }) => status === 'cancelled').map(({ id }) => id)),
    allergiesReadAtMs: null,
  });
  /** Cancelled, and nobody here has cleared it. */
  const isToClear = ({ id, status, items }: LiveOrder): boolean => {
    const before = local.peek().get(id);
    return status === 'cancelled' && before !== undefined && items.some((item) => !before.offIds.has(item.id));
  };

  /** Answers to bumps that the feed has not brought yet. */
  const answered = new Map<number, LiveOrder>();

  /** Takes the client's list of open and cancelled orders, oldest first. Returns what other people have changed. */
  function setOrders(list: readonly LiveOrder[]): Difference {
    const before = new Map(cards.peek().map((card) => [card.ticket.id, card]));
    const earlier = orders.peek();
    const listed = new Set(list.map(({ id }) => id));
    for (const id of answered.keys()) if (!listed.has(id)) answered.delete(id);
    const all = list.map((order) => {
      const answer = answered.get(order.id);
      if (answer && answer.version > order.version) return answer;
      answered.delete(order.id);
      const same = earlier.get(order.id);
      return same?.version === order.version ? same : order;
    });
    const standing = all.filter((order) => isOpen(order) || isToClear(order));
    const ids = new Set(standing.map(({ id }) => id));
    const fresh = standing.filter(({ id }) => !local.peek().has(id));
    const kept = [...local.peek()].filter(([id]) => ids.has(id));
    if (fresh.length > 0 || kept.length < local.peek().size)
      local.value = new Map([...kept, ...fresh.map((order) => [order.id, localOf(order)] as const)]);
    orders.value = new Map(standing.map((order) => [order.id, order]));
    return differenceOf(before, cards.peek());
  }

  /** Takes the answer to a bump, so that the ticket does not step back until the feed brings it. */
  function setAnswered(order: LiveOrder): void {
    answered.set(order.id, order);
    setOrders([...orders.peek().values()]);
  }

  function setLocal(id: number, change: (before: Local, order: LiveOrder) => Local): void {
    const [order, before] = [orders.peek().get(id), local.peek().get(id)];
    if (order && before) local.value = new Map([...local.peek(), [id, change(before, order)]]);
  }
  /** Somebody has read what changed. A cancelled ticket leaves the board with that. */
  const readChanges = (id: number): void =>
    setLocal(id, (before, order) => ({ ...localOf(order), allergiesReadAtMs: before.allergiesReadAtMs }));

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
  /** A bump that was not made, or was taken back, cannot be taken back any more. */
  function forget(bump: Bump): void {
    if (undoable.value?.bump.id === bump.id) undoable.value = null;
    recalls.value = recalls.value.filter(({ id }) => id !== bump.id);
  }

  return {
    station,
    cards,
    waiting,
    isLive,
    undoable,
    recalls,
    notice,
    setOrders,
    setAnswered,
    setDropped: (dropped: Dropped): void => {
      forget(dropped.bump);
      notice.value = dropped;
    },
    setCancellation: (id: number, cancellation: Cancellation): void => {
      const kept = [...cancellations.peek()].slice(-maxRecalls);
      cancellations.value = new Map([...kept, [id, cancellation]]);
    },
    closeNotice: (): void => {
      notice.value = null;
    },
    /** The version of the order that this screen shows, for requests from the back of a ticket. */
    versionOf: (id: number): number | undefined => orders.peek().get(id)?.version,
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
      forget(bump);
      if (unqueueBump(bump.id)) return;
      queueBump(undoOf(bump, { id: newId(), atMs: now(), version: null }));
    },
    readChanges,
    readAllergies: (id: number): void => setLocal(id, (before) => ({ ...before, allergiesReadAtMs: now() })),
  };
}

function differenceOf(before: ReadonlyMap<number, BoardCard>, after: readonly BoardCard[]): Difference {
  const difference: Difference = { added: [], ready: [], changed: [] };
  for (const { ticket, look, changes } of after) {
    const was = before.get(ticket.id);
    if (!was) (look === 'new' ? difference.added : difference.changed).push(ticket.id);
    else if (was.look !== 'ready' && look === 'ready') difference.ready.push(ticket.id);
    else if ((was.look !== 'cancelled' && look === 'cancelled') || changes.length > was.changes.length)
      difference.changed.push(ticket.id);
  }
  return difference;
}
