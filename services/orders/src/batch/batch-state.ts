import type { Message } from '@comanda/shared/messaging/publisher';
import type { Bill, BillHistoryEntry } from '../bills/bill.ts';
import type { NewException } from '../exceptions/exception.ts';
import type { Dish } from '../menu/menu-item.ts';
import type { NewOrder, OrderWrite } from '../orders/order-store.ts';
import type { Order, PlacedRequest } from '../orders/order.ts';
import type { Counters } from '../restaurant/counters.ts';
import type { OrderingPause } from '../restaurant/ordering-pause.ts';
import type { RestaurantSettings } from '../restaurant/restaurant-settings.ts';
import type { SeatingEnd } from '../seatings/ended-seating-store.ts';

/** A bill in a batch, in its current state, with the history and events to write. */
export type BillInBatch = {
  /** Null if the batch has created it. */
  before: Bill | null;
  bill: Bill;
  orders: readonly Order[];
  history: BillHistoryEntry[];
  messages: Message[];
};
/** An open bill to which the batch only adds orders. It isn't loaded, because only its version and history grow. */
type AppendOnlyBill = { id: number; version: number; history: BillHistoryEntry[] };
export type BillsInBatch = {
  readonly byId: Map<number, BillInBatch>;
  /** Open bills of seatings that are not in `byId`, by id. */
  readonly appendOnly: Map<number, AppendOnlyBill>;
  /** The id of each seating's open bill. */
  readonly openBySeating: Map<number, number>;
  /** The id of each seating's newest bill, for seatings whose bill may be reopened. */
  readonly newestBySeating: ReadonlyMap<number, number>;
  readonly settings: RestaurantSettings;
};

/** How much one customer without a seat may have open at the same time. Null for no limit. */
export type CustomerLimits = {
  openOrders: number | null;
  openItems: number | null;
  /**
   * The largest share of a dish's portions that one customer may have, in percent of those that are left or that the customer
   * has.
   */
  portionPercent: number;
};
/** What one customer has open. `portions` counts the portions of limited dishes, by dish id. */
export type Holdings = { orders: number; items: number; portions: Map<number, number> };

/**
 * Everything that a batch uses to decide its writes. Each accepted write is recorded here, so that the next one sees what is
 * left. A rejected write changes nothing.
 */
export type BatchState = {
  readonly now: Date;
  readonly currency: string;
  readonly pause: OrderingPause;
  /** By id, and by the name under which they are ordered. */
  readonly dishes: { byId: ReadonlyMap<number, Dish>; byName: ReadonlyMap<string, Dish | undefined> };
  /** The last numbers in use. */
  counters: Counters;
  /** The portions left of each dish, by the dish's id; null for no limit. */
  readonly portions: Map<number, number | null>;
  /** The number of open items at each seating. It may be too high, but never so high that an order is rejected for it. */
  readonly openItems: Map<number, number>;
  readonly customerLimits: CustomerLimits;
  /** What each customer without a seat has open, by the customer's id; empty if there are no limits. */
  readonly holdings: Map<number, Holdings>;
  /** The seatings that get orders but have ended, and which seatings they were joined into. */
  readonly endedSeatings: ReadonlyMap<number, SeatingEnd>;
  /** Requests that have already placed an order, by idempotency key. */
  readonly requests: Map<string, PlacedRequest>;
  /** The bills that the batch may change. */
  readonly bills: BillsInBatch;
  /** The orders to change, and all orders of the loaded bills, by id. */
  readonly orders: Map<number, Order>;
  /** The documents and events to write. */
  readonly placed: NewOrder[];
  readonly changed: OrderWrite[];
  readonly exceptions: NewException[];
};

export const isChanged = ({ before, bill }: BillInBatch): boolean => bill.version !== (before?.version ?? 0);

export const hasWrites = ({ placed, changed, bills }: BatchState): boolean =>
  placed.length > 0 || changed.length > 0 || [...bills.byId.values()].some(isChanged);
