import type { Message } from '@comanda/shared/messaging/publisher';
import type { Bill, BillHistoryEntry } from '../bills/bill.ts';
import type { CashDrawers } from '../cash-drawers/cash-drawer.ts';
import type { NewMovement } from '../cash-drawers/movement.ts';
import type { NewException } from '../exceptions/exception.ts';
import type { Dish } from '../menu/menu-item.ts';
import type { OptionGroup } from '../menu/option-group.ts';
import type { DividedOrder, NewOrder, OrderWrite } from '../orders/order-store.ts';
import type { Order, PlacedRequest } from '../orders/order.ts';
import type { PixDecision } from '../pix/pix-decision.ts';
import type { Counters } from '../restaurant/counters.ts';
import type { OrderingPause } from '../restaurant/ordering-pause.ts';
import type { RestaurantSettings } from '../restaurant/restaurant-settings.ts';
import type { SeatingEnd } from '../seatings/ended-seating-store.ts';

/** A bill in a batch, in its current state, with the history and events to write. */
export type BillInBatch = {
  /** The bill before the batch; null if the batch created the bill. */
  before: Bill | null;
  bill: Bill;
  orders: readonly Order[];
  history: BillHistoryEntry[];
  messages: Message[];
};
/** An open bill to which the batch only adds orders. The bill isn't loaded: only its version and its history grow. */
type AppendOnlyBill = { id: number; version: number; history: BillHistoryEntry[] };
export type BillsInBatch = {
  readonly byId: Map<number, BillInBatch>;
  /** Open bills that are not in `byId`, by the bill's id. Each belongs to a seating. */
  readonly appendOnly: Map<number, AppendOnlyBill>;
  /** The id of each seating's open bill. */
  readonly openBySeating: Map<number, number>;
  /** The id of each seating's newest bill, for seatings whose bill may be reopened. */
  readonly newestBySeating: ReadonlyMap<number, number>;
  readonly settings: RestaurantSettings;
};

/** Limits on what one customer without a seat may have open at the same time. Null means no limit. */
export type CustomerLimits = {
  openOrders: number | null;
  openItems: number | null;
  /**
   * The largest share of a dish's portions that one customer may order, as a percentage of the portions left plus those that the
   * customer already has.
   */
  portionPercent: number;
};
/**
 * How much one customer has open. `orders`, `items`: the numbers of open orders and items. `portions`: the number of portions of
 * each limited dish, by dish id.
 */
export type Holdings = { orders: number; items: number; portions: Map<number, number> };

/**
 * The data from which a batch decides its writes. Each accepted write is recorded here, so that the next write is decided with
 * the updated data. A rejected write changes nothing.
 */
export type BatchState = {
  readonly now: Date;
  readonly currency: string;
  readonly pause: OrderingPause;
  /**
   * The dishes in the batch: by id, and by the name that an order gave instead of an id. `removed`: components of combos that are
   * no longer on the menu.
   */
  readonly dishes: {
    byId: ReadonlyMap<number, Dish>;
    byName: ReadonlyMap<string, Dish | undefined>;
    removed: ReadonlyMap<number, Dish>;
  };
  /** The option groups of the dishes that are ordered, by id. */
  readonly optionGroups: ReadonlyMap<number, OptionGroup>;
  /** The number of the running day. */
  readonly day: number;
  /** The cash drawers that payments and refunds in the batch may name. */
  readonly cashDrawers: CashDrawers;
  /** The last numbers that were assigned to orders, tickets, bills and so on. */
  counters: Counters;
  /** The number of portions left of each dish, by dish id; null for no limit. */
  readonly portions: Map<number, number | null>;
  /**
   * The number of open items at each seating. The number may be too high, but never so high that an order is wrongly rejected.
   */
  readonly openItems: Map<number, number>;
  readonly customerLimits: CustomerLimits;
  /** What each customer without a seat has open, by user id. Empty if no limits are set. */
  readonly holdings: Map<number, Holdings>;
  /**
   * The ended seatings to which this batch would add orders. Each entry says whether the seating was closed or joined into
   * another one.
   */
  readonly endedSeatings: ReadonlyMap<number, SeatingEnd>;
  /** Requests that have already placed or moved an order, by idempotency key. */
  readonly requests: Map<string, PlacedRequest>;
  /** The bills that the batch may change. */
  readonly bills: BillsInBatch;
  /** The orders to change, all orders of the loaded bills, and those without a bill that move with one, by id. */
  readonly orders: Map<number, Order>;
  /** The new orders, divided orders, changed orders and exceptions to store, with their events. */
  readonly placed: NewOrder[];
  readonly divided: DividedOrder[];
  readonly changed: OrderWrite[];
  readonly exceptions: NewException[];
  readonly pix: PixInBatch;
  /** Money that payments and refunds have moved. */
  readonly movements: NewMovement[];
};

/** The decisions about statements that bear on this batch, and those that the batch adds. */
type PixInBatch = { known: PixDecision[]; readonly added: PixDecision[] };

export const isChanged = ({ before, bill }: BillInBatch): boolean => bill.version !== (before?.version ?? 0);

export const hasWrites = ({ placed, divided, changed, bills, pix }: BatchState): boolean =>
  placed.length + divided.length + changed.length + pix.added.length > 0 || [...bills.byId.values()].some(isChanged);
