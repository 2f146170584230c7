import type { AskedOption } from '@comanda/contracts/item-options';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { BillChange } from '../bills/bill-change.ts';
import type { BillsToFind } from '../bills/bill-store.ts';
import type { BillWithOrders } from '../bills/bill.ts';
import type { ChangeContext } from '../change-context.ts';
import type { ItemToMove } from '../orders/divide-order.ts';
import type { OrderChange } from '../orders/order-rules.ts';
import type { Order, OrderLocation, OrderReader } from '../orders/order.ts';
import type { PixDecision, ProvenStatement } from '../pix/pix-decision.ts';
import type { NumbersToTake } from '../restaurant/counters.ts';
import { whereJoined, type SeatingEnd } from '../seatings/ended-seating-store.ts';

/** One line of an order to place. `dish` is the dish's id or name. */
export type Line = {
  dish: number | string;
  quantity: number;
  remarks: string;
  options: readonly AskedOption[];
  /** The price that staff entered, for a dish with an open price; null if they entered none. */
  unitPriceMinor: number | null;
  /** The weight in kg that staff entered, for a dish that is priced by the kilogram; null if they entered none. */
  measure: string | null;
};
/** Places an order with all its lines, or rejects it. */
export type PlaceOrder = {
  kind: 'place';
  context: ChangeContext;
  /** Null if the request has no idempotency key. */
  request: IdempotentRequest | null;
  location: OrderLocation;
  lines: readonly Line[];
  allergies: string | null;
};
/**
 * Changes one version of an order and everything that depends on the order: portions go back to dishes, the bill changes, or the
 * order moves to another seating's bill.
 */
export type ChangeOrder = {
  kind: 'change_order';
  context: ChangeContext;
  id: number;
  change: OrderChange;
  version: number;
  /** The dishes that get portions back. */
  dishIds: readonly number[];
  billId: number | null;
  /** Set if the order moves to another seating. */
  movesTo?: { seating: number | null };
};
/** Moves items of one version of an order to another table, or the whole order if only cancelled items would stay. */
export type MoveItems = {
  kind: 'move_items';
  context: ChangeContext;
  /** Null if the request has no idempotency key. */
  request: IdempotentRequest | null;
  id: number;
  version: number;
  billId: number | null;
  items: readonly ItemToMove[];
  to: OrderLocation;
  ifMatch: string | undefined;
};
/** Places an order that replaces an item of one version of an order. */
export type RemakeItem = {
  kind: 'remake';
  context: ChangeContext;
  /** Null if the request has no idempotency key. */
  request: IdempotentRequest | null;
  id: number;
  version: number;
  itemId: number;
  /** The item's dish; empty if the order has no such item. */
  dishIds: readonly number[];
  seating: number | null;
  billId: number | null;
  /** Undefined for all units. */
  quantity: number | undefined;
  reason: string;
};
/** Changes one bill. */
export type ChangeBill = {
  kind: 'change_bill';
  context: ChangeContext;
  /** Null if the request has no idempotency key. */
  request: IdempotentRequest | null;
  billId: number;
  /** The user who makes the change. They get a 404 unless they may read the bill. Null if no user makes the change directly. */
  reader: OrderReader | null;
  ifMatch: string | undefined;
  change: BillChange;
};
/** Decides what a statement about a Pix means for its payment. `billIds`: the bills that it may be about. */
export type DecidePix = {
  kind: 'decide_pix';
  context: ChangeContext;
  statement: ProvenStatement;
  billIds: readonly number[];
};
/** A command for the order writer, as data. If its batch is retried, the command is decided again with newer data. */
export type Write = PlaceOrder | ChangeOrder | MoveItems | RemakeItem | ChangeBill | DecidePix;

/** The written order. If `replayed`, an earlier request with the same idempotency key wrote it. */
export type WrittenOrder = { order: Order; replayed: boolean };
/**
 * The written bill. If `replayed`, an earlier request with the same key made the change, and this is the bill's current state.
 */
export type WrittenBill = {
  bill: BillWithOrders;
  replayed: boolean;
  /** The id of the payment that this request has recorded (if `replayed`, the earlier request); null for other changes. */
  paymentId: number | null;
};
/** The decision about a statement. If the statement was decided earlier, this is the earlier decision. */
export type WrittenPix = { decision: PixDecision };
export type Written = WrittenOrder | WrittenBill | WrittenPix;
/** The result of a command, by its kind. */
export type ResultOf<W extends Write> = W extends ChangeBill
  ? WrittenBill
  : W extends DecidePix
    ? WrittenPix
    : WrittenOrder;

type Writes = readonly Write[];
type Ends = ReadonlyMap<number, SeatingEnd>;

/**
 * Returns how many numbers of each kind these writes may use. Most exceptions are numbered later, after the writes are decided:
 * `movements` are those of payments and refunds. Combos have more items than lines: the counters are corrected when they are
 * stored.
 */
export function numbersFor(writes: Writes): NumbersToTake {
  const numbers = { orders: 0, items: 0, tickets: 0, bills: 0, payments: 0, billNumbers: 0, movements: 0 };
  for (const write of writes) {
    if (write.kind === 'place') {
      numbers.orders += 1;
      numbers.tickets += 1;
      numbers.items += write.lines.length;
      numbers.bills += 1;
    } else if (write.kind === 'move_items') {
      numbers.orders += 1;
      numbers.items += write.items.length;
      numbers.bills += 1;
    } else if (write.kind === 'remake') {
      numbers.orders += 1;
      numbers.items += 1;
    } else if (write.kind === 'change_order') {
      numbers.bills += write.movesTo ? 1 : 0;
      numbers.items += write.change.kind === 'item_part' ? 1 : 0;
    } else if (write.kind === 'decide_pix') numbers.movements += 1;
    else if (isPayment(write.change)) {
      numbers.payments += 1;
      numbers.movements += write.change.kind === 'record_payment' ? 1 : 0;
    } else if (write.change.kind === 'refund_payment' || write.change.kind === 'settle_payment') numbers.movements += 2;
    else if (write.change.kind === 'close') numbers.billNumbers += 1;
  }
  return numbers;
}

/** Returns true if the change adds a payment to the bill. */
export const isPayment = ({ kind }: BillChange): boolean => kind === 'record_payment' || kind === 'reserve_payment';

/** Returns true if the cash drawers must be loaded to decide these writes: one of them names a cash drawer or refunds. */
export const readsCashDrawers = (writes: Writes): boolean =>
  writes.some((write) => {
    if (write.kind !== 'change_bill') return false;
    const { change } = write;
    return change.kind === 'record_payment'
      ? change.payment.cash_drawer !== undefined
      : change.kind === 'refund_payment';
  });

/** Returns the dishes that these writes order or return portions to. */
export function dishesOf(writes: Writes): { ids: number[]; names: string[] } {
  const dishes = writes.flatMap((write): readonly (number | string)[] => {
    if (write.kind === 'place') return write.lines.map(({ dish }) => dish);
    return 'dishIds' in write ? write.dishIds : [];
  });
  const ids = dishes.filter((dish) => typeof dish === 'number');
  const names = dishes.filter((dish) => typeof dish === 'string');
  return { ids: [...new Set(ids)], names: [...new Set(names)] };
}

/** Returns the orders that these writes start from. */
export const ordersOf = (writes: Writes): number[] => [
  ...new Set(writes.flatMap((write) => ('id' in write ? write.id : []))),
];

/** Returns the idempotency keys of requests that place or move orders. */
export const orderKeysOf = (writes: Writes): string[] =>
  writes.flatMap((write) =>
    write.kind === 'place' || write.kind === 'move_items' || write.kind === 'remake' ? (write.request?.key ?? []) : [],
  );

/** Returns the seatings to which orders are added. Each may get a new bill. */
export const seatingsOf = (writes: Writes): number[] =>
  writes.flatMap((write) => {
    if (write.kind === 'place') return write.location.seating ?? [];
    return (write.kind === 'remake' ? write.seating : destinationOf(write)) ?? [];
  });

/** Returns the seating to which the write moves an order; null if it moves none. */
function destinationOf(write: Write): number | null {
  if (write.kind === 'move_items') return write.to.seating;
  return (write.kind === 'change_order' && write.movesTo?.seating) || null;
}

/** Returns the bills that these writes may change, except those that only get a new order. */
export function billsOf(writes: Writes, ends: Ends): BillsToFind {
  const [ids, seatings, requestKeys] = [new Set<number>(), new Set<number>(), new Set<string>()];
  for (const write of writes) {
    if (write.kind === 'change_order' || write.kind === 'move_items') {
      if (write.billId !== null) ids.add(write.billId);
      const seating = whereJoined(ends, destinationOf(write));
      if (seating !== null) seatings.add(seating);
    } else if (write.kind === 'remake') {
      // The bill says where the guests are now: the seating's open one or, if there is none, the order's own.
      const seating = whereJoined(ends, write.seating);
      if (write.billId !== null) ids.add(write.billId);
      if (seating !== null) seatings.add(seating);
    } else if (write.kind === 'decide_pix') write.billIds.forEach((id) => ids.add(id));
    else if (write.kind === 'change_bill') {
      ids.add(write.billId);
      if (write.change.kind === 'merge') ids.add(write.change.into);
      if (write.request) requestKeys.add(write.request.key);
    }
  }
  return { ids: [...ids], seatings: [...seatings], requestKeys: [...requestKeys] };
}

/** Returns the statements about a Pix in these writes. */
export const statementsOf = (writes: Writes): ProvenStatement[] =>
  writes.flatMap((write) => (write.kind === 'decide_pix' ? write.statement : []));

/** Returns the bills to which these writes make changes of these kinds. */
export const billsChangedBy = (writes: Writes, ...kinds: readonly BillChange['kind'][]): Set<number> =>
  new Set(
    writes.flatMap((write) => (write.kind === 'change_bill' && kinds.includes(write.change.kind) ? write.billId : [])),
  );
