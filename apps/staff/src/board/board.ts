import { findLast } from '@comanda/contracts/collections';
import { computed, signal, type ReadonlySignal } from '@preact/signals';
import type { Collection, LiveOrder } from '@comanda/client/core';
import type { OrderStatus } from '@comanda/contracts/order';
import { bumpItem, bumpTicket, undoOf, withBumps, type Bump } from '../bumps/bump.ts';
import type { BumpQueue } from '../bumps/bump-queue.ts';
import { nextAt, type CategoryLimits, type StationRules } from '../bumps/station-rules.ts';
import { previousStatus, reportedStations, ticketOf } from '../bumps/ticket.ts';
import {
  allergiesAt,
  cardOf,
  differenceOf,
  isSame,
  readAtOf,
  readStateOf,
  type BoardCard,
  type Cancellation,
  type CardParts,
  type Difference,
  type ReadState,
} from './card.ts';
import type { DoneBumps } from './done-bumps.ts';
import { holdMs } from './layout.ts';

/** A second bump within 700 ms of the question is a double tap: nobody can have read the allergies by then. */
const readingMs = 700;

type BoardDeps = {
  /** The client's open and cancelled orders, oldest first. */
  list: Pick<Collection<LiveOrder>, 'rows' | 'state' | 'onChange'>;
  /** False after the sign-in has ended: then the list is empty, but the tickets stay on the screen. */
  isSignedIn: () => boolean;
  /** Called when other people have changed cards. */
  onOthersChange: (difference: Difference) => void;
  queue: Pick<BumpQueue, 'waiting' | 'add' | 'remove'>;
  done: DoneBumps;
  station: ReadonlySignal<string>;
  /** The stations' rules, such as how many bumps a ticket takes. */
  rules: ReadonlySignal<StationRules>;
  /** When the dishes of a category are late. */
  categoryLimits: ReadonlySignal<CategoryLimits>;
  /** True while bumps can reach the server. */
  isLive: ReadonlySignal<boolean>;
  cancellations: ReadonlySignal<ReadonlyMap<number, Cancellation>>;
  newId: () => string;
  /** Reports to the server that an order's allergies were read at these stations; at all of them if undefined. */
  reportAllergiesRead: (orderId: number, stations: readonly string[] | undefined) => void;
  /** Returns the server's time, in milliseconds. */
  now: () => number;
};

/** The state of one board: the feed's orders with unsent bumps applied, and what was read or cleared on this screen. */
export function createBoard(deps: BoardDeps) {
  const { queue, done, station, rules, now } = deps;
  const next = (status: OrderStatus): OrderStatus | null => nextAt(rules.value, station.value, status);
  const held = createOrders();
  const { orders, setOrders, setRead } = held;
  const cards = createCards({ ...deps, ...held });
  const close = followList(deps, { cards, setOrders });
  const { confirmAllergies, readAllergies, reportedAt } = createReading({ ...deps, ...held });

  /** The ticket that was bumped last, and when, in milliseconds by the page's clock. */
  let last = { orderId: 0, at: 0 };

  /** Returns the order as this screen shows it, and the start of its next bump; null if there is no such order. */
  function shown(orderId: number) {
    const order = orders.value.get(orderId);
    if (!order) return null;
    const bumps = queue.waiting.value.filter((bump) => bump.orderId === orderId);
    const version = bumps.length > 0 ? null : order.version;
    return { order: withBumps(order, bumps), made: { id: deps.newId(), atMs: now(), version } };
  }
  function commit(bump: Bump | null): void {
    if (!bump || bump.moves.length === 0) return;
    queue.add(bump);
    done.add(bump);
  }
  return {
    cards,
    /** Returns the version of the order that this screen shows, for requests from the back of a ticket. */
    versionOf: (id: number): number | undefined => orders.peek().get(id)?.version,
    bumpTicket: (orderId: number): void => {
      const seen = shown(orderId);
      const ticket = seen && ticketOf(seen.order, station.value);
      const isDoubleTap = last.orderId === orderId && performance.now() - last.at < holdMs;
      if (!ticket || isDoubleTap || !confirmAllergies(seen.order)) return;
      last = { orderId, at: performance.now() };
      commit(bumpTicket(ticket, seen.order, { ...seen.made, next }));
    },
    bumpItem: (orderId: number, itemId: number): void => {
      const seen = shown(orderId);
      const bump = seen && bumpItem(seen.order, { itemId, ...seen.made, next });
      if (bump && confirmAllergies(seen.order)) commit(bump);
    },
    stepItemBack: (orderId: number, itemId: number): void => {
      const seen = shown(orderId);
      if (seen) commit(bumpItem(seen.order, { itemId, ...seen.made, next: previousStatus }));
    },
    /** Undoes a bump: removes it from the queue if it was not sent, otherwise moves the dishes back. */
    undo: (bump: Bump): void => {
      done.remove(bump);
      if (!queue.remove(bump.id)) queue.add(undoOf(bump, { id: deps.newId(), atMs: now(), version: null }));
    },
    /** Marks a ticket's changes as read. A cancelled ticket then leaves the board. */
    readChanges: (id: number): void => setRead(id, ({ allergies }, order) => readStateOf(order, allergies)),
    readAllergies,
    reportedAt,
    close,
  };
}

type Followed = { cards: ReadonlySignal<readonly BoardCard[]>; setOrders: (list: readonly LiveOrder[]) => void };
/** Shows the client's orders. Returns a function that stops this. */
function followList({ list, isSignedIn, onOthersChange }: BoardDeps, { cards, setOrders }: Followed): () => void {
  let wasComplete = false;
  return list.onChange(({ source }) => {
    if (!isSignedIn()) return;
    const before = cards.peek();
    setOrders(list.rows.value);
    // Orders in the first list aren't new, and changes made on this screen need no announcement.
    if (wasComplete && source === 'server') onOthersChange(differenceOf(before, cards.peek()));
    wasComplete ||= list.state.value === 'complete';
  });
}

type ReadingDeps = Pick<BoardDeps, 'station' | 'reportAllergiesRead' | 'now'> & ReturnType<typeof createOrders>;
/** Handles what this screen reports for its station: that it shows an order, and that its allergies were read. */
function createReading({ station, reportAllergiesRead, now, orders, read, setRead }: ReadingDeps) {
  /** Returns the stations for which this screen reports an order as shown; undefined for all of the order's stations. */
  function reportedAt(id: number): readonly string[] | undefined {
    return reportedStations(orders.peek().get(id) ?? {}, station.peek());
  }
  /** Shows the allergies as read immediately, and reports this to the server for all other screens. */
  function readAllergies(id: number): void {
    setRead(id, (before) => ({ ...before, allergies: { station: station.peek(), readAtMs: now() } }));
    reportAllergiesRead(id, reportedAt(id));
  }
  /**
   * Returns true if a bump is allowed. If the allergies are unread, the first bump only asks about them, and the next one
   * confirms that they were read.
   */
  function confirmAllergies(order: LiveOrder): boolean {
    const { id, allergies } = order;
    const before = read.peek().get(id);
    const at = station.peek();
    if (allergies === null || !before || readAtOf(order, { station: at, read: before }) !== null) return true;
    const askedAt = allergiesAt(before, at)?.askedAt ?? performance.now();
    const isRead = performance.now() - askedAt >= readingMs;
    if (isRead) readAllergies(id);
    else setRead(id, () => ({ ...before, allergies: { station: at, askedAt, readAtMs: null } }));
    return isRead;
  }
  return { confirmAllergies, readAllergies, reportedAt };
}

const isOpen = ({ status }: LiveOrder): boolean => status !== 'cancelled' && status !== 'delivered';

/** Stores open orders, cancelled orders that nobody has cleared on this screen, and the state in which each was last read. */
function createOrders() {
  const orders = signal<ReadonlyMap<number, LiveOrder>>(new Map());
  const read = signal<ReadonlyMap<number, ReadState>>(new Map());
  /** Returns true if the order is cancelled and nobody has cleared it on this screen. */
  const isToClear = ({ id, status, items }: LiveOrder): boolean => {
    const before = read.peek().get(id);
    return status === 'cancelled' && before !== undefined && items.some((item) => !before.offIds.has(item.id));
  };
  /** A ticket whose dishes were moved from a ticket on this board says from which table. */
  function firstReadOf(order: LiveOrder): ReadState {
    const source = orders.peek().get(order.split_from ?? 0);
    return { ...readStateOf(order, null), ...(source && { table: source.table }) };
  }
  return {
    orders,
    read,
    setRead: (id: number, change: (before: ReadState, order: LiveOrder) => ReadState): void => {
      const [order, before] = [orders.peek().get(id), read.peek().get(id)];
      if (order && before) read.value = new Map([...read.peek(), [id, change(before, order)]]);
    },
    setOrders: (list: readonly LiveOrder[]): void => {
      const earlier = orders.peek();
      const shown = list.filter((order) => isOpen(order) || isToClear(order));
      const ids = new Set(shown.map(({ id }) => id));
      const added = shown.filter(({ id }) => !read.peek().has(id));
      const kept = [...read.peek()].filter(([id]) => ids.has(id));
      if (added.length > 0 || kept.length < read.peek().size)
        read.value = new Map([...kept, ...added.map((order) => [order.id, firstReadOf(order)] as const)]);
      // An unchanged order keeps its object, so that its card isn't rendered again.
      const sameOr = (order: LiveOrder): LiveOrder => {
        const before = earlier.get(order.id);
        // Orders that an earlier release stored on this device have no stations.
        const isUnchanged =
          before?.version === order.version &&
          before.updated_at === order.updated_at &&
          !before.stations === !order.stations;
        return isUnchanged ? before : order;
      };
      orders.value = new Map(shown.map((order) => [order.id, sameOr(order)]));
    },
  };
}

type CardDeps = Pick<BoardDeps, 'queue' | 'station' | 'rules' | 'categoryLimits' | 'isLive' | 'cancellations'> & {
  orders: ReadonlySignal<ReadonlyMap<number, LiveOrder>>;
  read: ReadonlySignal<ReadonlyMap<number, ReadState>>;
};
function createCards({ queue, station, rules, categoryLimits, isLive, cancellations, orders, read }: CardDeps) {
  type Made = { parts: CardParts; card: BoardCard | null };
  let made = new Map<number, Made>();
  return computed((): readonly BoardCard[] => {
    const bumps = queue.waiting.value;
    const madeNow = new Map<number, Made>();
    for (const order of orders.value.values()) {
      const parts: CardParts = {
        order,
        read: read.value.get(order.id),
        last: findLast(bumps, ({ orderId }) => orderId === order.id) ?? null,
        isLive: isLive.value,
        station: station.value,
        rules: rules.value,
        categoryLimits: categoryLimits.value,
        cancellation: cancellations.value.get(order.id) ?? null,
      };
      const before = made.get(order.id);
      madeNow.set(order.id, before && isSame(before.parts, parts) ? before : { parts, card: cardOf(parts, bumps) });
    }
    made = madeNow;
    const all = [...madeNow.values()].flatMap(({ card }) => card ?? []);
    const isRemake = ({ ticket }: BoardCard): number => Number(ticket.remake !== null);
    return all.sort((one, other) => isRemake(other) - isRemake(one));
  });
}
