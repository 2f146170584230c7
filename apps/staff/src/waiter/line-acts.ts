import { CallFailure, type Client, type LiveOrder } from '@comanda/client/core';
import type { Table } from '@comanda/contracts/tables';
import { formatList } from '@comanda/ui/format.ts';
import { tagOf } from '../bumps/send-bump.ts';
import { dishText, type OrderItem } from '../bumps/ticket.ts';
import type { followTables } from './follow-tables.ts';
import type { NoticeLine } from './notice.ts';

/** Some or all units of an item. */
export type Units = { item: OrderItem; count: number };

type Deps = {
  client: Pick<Client, 'calls' | 'newKey'>;
  tables: Pick<ReturnType<typeof followTables>, 'open'>;
  showNotice: NoticeLine['show'];
};

/** What waiters do with single dishes of an order. Each action may be repeated after a lost response: it is done once. */
export function lineActs({ client: { calls, newKey }, tables, showNotice }: Deps) {
  /** The keys of requests without a result, by request. */
  const keys = new Map<string, string>();
  async function once<T>(request: object, call: (idempotencyKey: string) => Promise<T>): Promise<T> {
    const name = JSON.stringify(request);
    const key = keys.get(name) ?? newKey();
    keys.set(name, key);
    try {
      const result = await call(key);
      keys.delete(name);
      return result;
    } catch (error) {
      if (isDecided(error)) keys.delete(name);
      throw error;
    }
  }
  /** How many units of an item should be left after a request without a result. */
  const leftAfter = new Map<number, { count: number; left: number }>();

  return {
    /**
     * Cancels units of a dish: the kitchen stops cooking them, and nobody pays for them. The order must still have the version on
     * this screen. `reason` may be empty. @throws CallFailure
     */
    takeOff: async (
      { id, version, ticket }: LiveOrder,
      { item, count, reason }: Units & { reason: string },
    ): Promise<void> => {
      const earlier = leftAfter.get(item.id);
      const isRepeated = earlier?.count === count;
      const left = isRepeated ? earlier.left : item.quantity - count;
      leftAfter.set(item.id, { count, left });
      const change = {
        id,
        item_id: item.id,
        status: 'cancelled',
        ...(left > 0 && { quantity_left: left }),
        ...(reason !== '' && { reason }),
      } as const;
      try {
        // A repetition takes nothing off twice, even if the first request has changed the version.
        await calls.updateOrderItem(change, isRepeated ? {} : { ifMatch: tagOf(id, version) });
      } catch (error) {
        if (isDecided(error)) leftAfter.delete(item.id);
        throw error;
      }
      leftAfter.delete(item.id);
      showNotice({ kind: 'taken_off', ticket, dish: dishText({ ...item, quantity: count }) });
    },
    /**
     * Moves these units with their lines of the bill to another table, if the order still has the version on this screen. All
     * units of an order move as the order itself. A free table is opened first, because the dishes would otherwise be on no bill
     * with others. @throws CallFailure
     */
    moveDishes: async (order: LiveOrder, { units, to }: { units: readonly Units[]; to: Table }): Promise<void> => {
      const { table, seating } = to.seating === null ? await tables.open(to) : to;
      const location = { table, ...(seating !== null && { seating }) };
      const options = { ifMatch: tagOf(order.id, order.version) };
      if (isWhole(order, units)) {
        await calls.moveOrder({ id: order.id, ...location }, options);
        showNotice({ kind: 'moved', ticket: order.ticket, table });
        return;
      }
      const items = units.map(({ item, count }) => ({ id: item.id, quantity: count }));
      const request = { id: order.id, items, ...location };
      await once(request, (idempotencyKey) => calls.moveItems(request, { ...options, idempotencyKey }));
      showNotice({ kind: 'dishes_moved', dishes: textOf(units), table });
    },
    /** Has the kitchen prepare these units again, free of charge. @throws CallFailure */
    remake: async ({ id }: LiveOrder, { item, count, reason }: Units & { reason: string }): Promise<void> => {
      const request = { id, item_id: item.id, quantity: count, reason };
      const { ticket } = await once(request, (idempotencyKey) => calls.remakeItem(request, { idempotencyKey }));
      showNotice({ kind: 'remade', dishes: textOf([{ item, count }]), ticket });
    },
  };
}

/** Returns true if the server has responded, so that a repetition is a new action. */
const isDecided = (error: unknown): boolean => error instanceof CallFailure && !error.isUndecided;

/** Returns the items that can move by themselves: components move with their combo. */
export const movableItems = ({ items }: LiveOrder): readonly OrderItem[] =>
  items.filter(({ status, part_of: combo }) => status !== 'cancelled' && typeof combo !== 'number');

const isWhole = (order: LiveOrder, units: readonly Units[]): boolean =>
  movableItems(order).every(({ id, quantity }) =>
    units.some(({ item, count }) => item.id === id && count === quantity),
  );

const textOf = (units: readonly Units[]): string =>
  formatList(units.map(({ item, count }) => dishText({ ...item, quantity: count })));
