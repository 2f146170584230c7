import { orderStation } from '@comanda/contracts/order-stations';
import { isSameName } from '@comanda/contracts/text-key';
import type { LiveOrder } from '@comanda/client/core';
import { withBumps, type Bump } from '../bumps/bump.ts';
import type { OrderStatus } from '@comanda/contracts/order';
import type { Messages } from '../messages/en.ts';
import { leavesWhenReady, limitsOf, nextAt, type CategoryLimits, type StationRules } from '../bumps/station-rules.ts';
import { isForAll, ticketOf, type AgeLimits, type Ticket } from '../bumps/ticket.ts';

/** What has changed on a ticket since someone here last looked at it. */
export type Change = { kind: 'table'; from: string | null } | { kind: 'items_off'; count: number };
/** Who cancelled an order, when and why. `name` is known once the order's history is loaded. */
export type Cancellation = { role: keyof Messages['roles']; name?: string; at: string; reason?: string };
export type BoardCard = {
  ticket: Ticket;
  look: 'new' | 'cooking' | 'ready' | 'cancelled' | 'kept';
  changes: readonly Change[];
  limits: AgeLimits;
  /** The status that a bump moves the ticket to; null if there is none. */
  next: OrderStatus | null;
  /**
   * When this station confirmed the allergies on any screen, in milliseconds by the server's clock; null if it has not. On a
   * board for all stations, when the last of them did.
   */
  allergiesReadAtMs: number | null;
  /** True if someone has bumped the ticket before reading its allergies. The next bump confirms that they were read. */
  isAsking: boolean;
  /** The ticket's newest bump that can't be sent because the board is cut off; null if there is none. */
  waiting: Bump | null;
  /** The cancellation; null if the feed hasn't sent it. */
  cancellation: Cancellation | null;
};
/** The ids of orders whose cards have changed because of other people. */
export type Difference = {
  added: number[];
  ready: number[];
  changed: number[];
  /** True if a remake was added. */
  hasRemake: boolean;
};

/** The parts of an order that someone on this screen has last read. */
export type ReadState = {
  table: string | null;
  offIds: ReadonlySet<number>;
  allergies: AllergiesRead | null;
};
/**
 * Whether the allergies were read at one station. The station matters, because the next shift on this screen may be at another
 * one.
 */
type AllergiesRead = {
  station: string;
  /** When someone bumped the ticket before reading its allergies, in milliseconds by the page's clock. */
  askedAt?: number;
  /** When the allergies were read, in milliseconds by the server's clock; null if they weren't. */
  readAtMs: number | null;
};
/** Everything that a card depends on. While all of it stays the same, the card stays the same object and isn't rendered again. */
export type CardParts = {
  order: LiveOrder;
  read: ReadState | undefined;
  last: Bump | null;
  isLive: boolean;
  station: string;
  rules: StationRules;
  categoryLimits: CategoryLimits;
  cancellation: Cancellation | null;
};
const partNames = ['order', 'read', 'last', 'isLive', 'station', 'rules', 'categoryLimits', 'cancellation'] as const;
export const isSame = (one: CardParts, other: CardParts): boolean =>
  partNames.every((name) => one[name] === other[name]);

/** Returns the order's card; null if this board shows none for it. `bumps` are all bumps without a response. */
export function cardOf({ order, read, last, cancellation, ...board }: CardParts, bumps: readonly Bump[]) {
  const ticket = ticketOf(withBumps(order, bumps), board.station);
  if (!ticket) return null;
  const changes = changesOf(ticket, read);
  const waiting = board.isLive ? null : last;
  const { rules, station } = board;
  const allergiesReadAtMs = readAtOf(order, { station, read });
  const isAsking = allergiesAt(read, station)?.askedAt !== undefined && allergiesReadAtMs === null;
  const next = ticket.items.map(({ status }) => nextAt(rules, station, status)).find((each) => each !== null) ?? null;
  const card = {
    ticket,
    changes,
    limits: limitsOf(rules, ticket.items, board.categoryLimits),
    next: nextAt(rules, station, ticket.status) ?? next,
    allergiesReadAtMs,
    isAsking,
    waiting,
    cancellation,
  };
  const withLook = (look: BoardCard['look']): BoardCard => ({ ...card, look });
  if (ticket.status === 'cancelled')
    return changes.some(({ kind }) => kind === 'items_off') ? withLook('cancelled') : null;
  // A ticket that was handed over without a network stays on the board, because other screens don't know yet. Until then, its
  // card shows everything, because cooks still work with it.
  if (ticket.status === 'delivered') return waiting ? withLook('kept') : null;
  if (ticket.status === 'ready' && leavesWhenReady(rules, station) && !waiting) return null;
  if (ticket.status === 'received') return withLook('new');
  return withLook(ticket.status === 'ready' ? 'ready' : 'cooking');
}

type ReadHere = { station: string; read: ReadState | undefined };
/**
 * Returns when this station read the allergies: according to the server, or else as someone confirmed on this screen. A board for
 * all stations needs all of them to have read.
 */
export function readAtOf(order: LiveOrder, { station, read }: ReadHere): number | null {
  const { allergies_read_at: readAt } = isForAll(station) ? order : orderStation(order, station);
  return readAt ? Date.parse(readAt) : (allergiesAt(read, station)?.readAtMs ?? null);
}

export const allergiesAt = (read: ReadState | undefined, station: string): AllergiesRead | null =>
  read?.allergies?.station === station ? read.allergies : null;

function changesOf(ticket: Ticket, read: ReadState | undefined): Change[] {
  if (!read) return [];
  const off = ticket.items
    .filter(({ id, status }) => status === 'cancelled' && !read.offIds.has(id))
    .reduce((total, { quantity }) => total + quantity, 0);
  return [
    ...(isSameName(read.table, ticket.table) ? [] : [{ kind: 'table' as const, from: read.table }]),
    ...(off > 0 ? [{ kind: 'items_off' as const, count: off }] : []),
  ];
}

/** Returns the state after someone has read the order as it is now. */
export const readStateOf = ({ table, items }: LiveOrder, allergies: AllergiesRead | null): ReadState => ({
  table,
  offIds: new Set(items.filter(({ status }) => status === 'cancelled').map(({ id }) => id)),
  allergies,
});

export function differenceOf(before: readonly BoardCard[], after: readonly BoardCard[]): Difference {
  const earlier = new Map(before.map((card) => [card.ticket.id, card]));
  const difference: Difference = { added: [], ready: [], changed: [], hasRemake: false };
  for (const { ticket, look, changes } of after) {
    const was = earlier.get(ticket.id);
    if (!was) {
      const isNew = look === 'new' && !ticket.isMovedPart;
      (isNew ? difference.added : difference.changed).push(ticket.id);
      if (isNew && ticket.remake !== null) difference.hasRemake = true;
    } else if (was.look !== 'ready' && look === 'ready') difference.ready.push(ticket.id);
    else if ((was.look !== 'cancelled' && look === 'cancelled') || changes.length > was.changes.length)
      difference.changed.push(ticket.id);
  }
  return difference;
}
