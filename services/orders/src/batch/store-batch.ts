import { isDeepStrictEqual } from 'node:util';
import type { Pending } from '@comanda/shared/messaging/outbox';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { BillStore } from '../bills/bill-store.ts';
import type { MovementStore } from '../cash-drawers/movement-store.ts';
import type { ExceptionStore } from '../exceptions/exception-store.ts';
import { dishChanged, type Dish } from '../menu/menu-item.ts';
import type { DishWrite, MenuStore } from '../menu/menu-store.ts';
import type { OrderStore } from '../orders/order-store.ts';
import type { PixDecisionStore } from '../pix/pix-decision-store.ts';
import type { CounterStore } from '../restaurant/counter-store.ts';
import type { Counters } from '../restaurant/counters.ts';
import { isChanged, type BatchState, type BillsInBatch } from './batch-state.ts';

export type StoreBatchDeps = {
  counters: Pick<CounterStore, 'updateCounters'>;
  exceptions: Pick<ExceptionStore, 'insert'>;
  movements: Pick<MovementStore, 'insert'>;
  menu: Pick<MenuStore, 'updatePortions'>;
  orders: Pick<OrderStore, 'insert' | 'divide' | 'updateAll'>;
  bills: Pick<BillStore, 'writeAll'>;
  pixDecisions: Pick<PixDecisionStore, 'insert'>;
};
/** The outboxes of the documents that a batch has written. Their events are published after the batch's commit. */
export type PendingEvents = Record<'orders' | 'menu' | 'bills', Pending[]>;

type DecidedBatch = {
  state: BatchState;
  /** The counters after this transaction has taken its numbers. */
  taken: Counters;
  traceparent: string;
  session: Session;
};

/**
 * Stores everything that was recorded in `state`.
 * @throws WriteConflict if another write has changed the loaded data
 */
export async function storeBatch(
  { counters, exceptions, movements, menu, orders, bills, pixDecisions }: StoreBatchDeps,
  { state, taken, traceparent, session }: DecidedBatch,
): Promise<PendingEvents> {
  const { day } = state;
  const idBefore = state.counters.movementId;
  const entries = state.movements.length + state.exceptions.length;
  // Ids of bills, payments, movements and exceptions may skip numbers. Other counters must be corrected after a rejection or on a new
  // business day.
  const used = {
    ...state.counters,
    billId: taken.billId,
    paymentId: taken.paymentId,
    movementId: Math.max(taken.movementId, idBefore + entries),
  };
  if (!isDeepStrictEqual(used, taken)) await counters.updateCounters(used, session);
  await movements.insert(state.movements, { idBefore, day, session });
  await exceptions.insert(state.exceptions, { idBefore: idBefore + state.movements.length, day, session });
  await pixDecisions.insert(state.pix.added, session);
  const dishes = dishWrites(state, traceparent);
  await menu.updatePortions(dishes, session);
  const changedIds = new Set(state.changed.map(({ order }) => order.id));
  const placed = await orders.insert(state.placed, { changedIds, session });
  const divided = await orders.divide(state.divided, session);
  const changed = await orders.updateAll(state.changed, session);
  return {
    orders: [...placed, ...divided, ...changed],
    bills: await bills.writeAll(billWrites(state.bills), { now: state.now, session }),
    menu: dishes.map(({ dish, message }) => ({ documentId: dish.id, messages: [message] })),
  };
}

/** Returns one write for each dish whose portion count the batch changed. */
function dishWrites({ dishes, portions, now }: BatchState, traceparent: string): DishWrite[] {
  return [...dishes.byId.values()].flatMap((before) => {
    const portionsLeft = portions.get(before.id) ?? null;
    if (portionsLeft === before.portionsLeft) return [];
    const dish: Dish = { ...before, portionsLeft, version: before.version + 1 };
    return [{ dish, message: dishChanged(dish, { at: now, traceparent }) }];
  });
}

function billWrites({ byId, appendOnly }: BillsInBatch) {
  const all = [...byId.values()].filter(isChanged);
  const [created, changed] = [all.filter(({ before }) => !before), all.filter(({ before }) => before)];
  const appended = [...appendOnly.values()].filter(({ history }) => history.length > 0);
  // Changed bills come first, because a change may close the seating's open bill, and a seating has only one.
  return { writes: [...changed, ...created], appended };
}
