import { problem, Problem } from '@comanda/shared/contracts/problems';
import type { Message } from '@comanda/shared/messaging/publisher';
import { dishChanged } from '../menu/menu-item.ts';
import type { DishWrite, MenuStore } from '../menu/menu-store.ts';
import { isTransient, jitter } from '@comanda/shared/mongo/transaction-store';
import type { Transactions } from '@comanda/shared/mongo/transaction-store';
import { portionsReturned } from './order-moves.ts';
import type { Changed } from './order-moves.ts';
import type { By } from './order-events.ts';
import type { OrderStore, OrderWrite } from './order-store.ts';
import type { Order } from './order.ts';
import type { InTurn } from './turns.ts';

export type Change = {
  id: number;
  by: By;
  /** Null: the caller is not to know that there is such an order. */
  apply: (order: Order, now: Date) => Changed | null;
  record: (before: Order, after: Order, by: By) => Omit<OrderWrite, 'order'>;
};
export type ChangeOrder = (change: Change) => Promise<Order>;
type Options = {
  orders: OrderStore;
  menu: MenuStore;
  transactions: Transactions;
  inTurn: InTurn;
  onWritten: (where: 'orders' | 'menu', documentId: number, messages: readonly Message[]) => void;
};

const patienceMs = 1400;

/**
 * The one write path of orders that are there: read, apply, and write if its version is still the same, else again.
 * One write is one version, with all of its events. Portions that go back do so in the same transaction.
 */
export function createChangeOrder(options: Options): ChangeOrder {
  return (change) => options.inTurn(change.id, () => changeNow(change, options));
}

async function changeNow(change: Change, { orders, menu, transactions, onWritten }: Options): Promise<Order> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- again on what is there by then
    const done = await attempt();
    if (done) return done;
    if (performance.now() > deadline)
      throw problem('service_unavailable', { detail: 'Too many write at once.' }, { 'Retry-After': '1' });
    // oxlint-disable-next-line no-await-in-loop
    await jitter();
  }

  /** Null where somebody else wrote first. */
  async function attempt(): Promise<Order | null> {
    const before = await orders.one(change.id);
    const now = new Date();
    const after = before && change.apply(before, now);
    if (!before || !after) throw problem('not_found');
    if (after instanceof Problem) throw after;
    if (after === before) return before;
    const write: OrderWrite = { order: after, ...change.record(before, after, change.by) };
    const returned = portionsReturned(before, after);
    if (returned.size > 0) return giveBack(write, returned);
    const outbox = await orders.replace(write);
    if (outbox) onWritten('orders', after.id, outbox);
    return outbox && after;
  }

  async function giveBack(write: OrderWrite, returned: ReadonlyMap<number, number>): Promise<Order | null> {
    const dishes = await dishesWith(returned, write.order.updatedAt);
    let outbox: readonly Message[] | null = null;
    try {
      await transactions.run({
        deadline,
        write: async (session) => {
          if (!(await menu.setPortions(dishes, session))) return false;
          outbox = await orders.replace(write, session);
          return outbox !== null;
        },
      });
    } catch (error) {
      if (isTransient(error)) return null;
      throw error;
    }
    if (!outbox) return null;
    onWritten('orders', write.order.id, outbox);
    for (const { dish, message } of dishes) onWritten('menu', dish.id, [message]);
    return write.order;
  }

  /** A dish that has become unlimited, or was deleted, needs nothing back. */
  async function dishesWith(returned: ReadonlyMap<number, number>, at: Date): Promise<DishWrite[]> {
    const found = await menu.named({ ids: [...returned.keys()], nameKeys: [] });
    return found.flatMap((before) => {
      if (before.portionsLeft === null) return [];
      const portionsLeft = before.portionsLeft + (returned.get(before.id) ?? 0);
      const dish = { ...before, portionsLeft, version: before.version + 1 };
      return [{ dish, message: dishChanged(dish, { at, traceparent: change.by.traceparent }) }];
    });
  }
}
