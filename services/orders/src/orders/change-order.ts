import { problem, Problem } from '@comanda/contracts/problems';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { Change } from './order-change.ts';
import type { OrderDesk } from './order-desk.ts';
import { portionsReturned } from './order-moves.ts';
import type { OrderStore } from './order-store.ts';
import type { Order } from './order.ts';
import type { InTurn } from './turns.ts';

/** The order as the change has left it. @throws 404 `not_found`, what refuses the change, 503 `service_unavailable` */
export type ChangeOrder = (change: Change) => Promise<Order>;
type Options = {
  orders: OrderStore;
  desk: OrderDesk;
  inTurn: InTurn;
  onWritten: (orderId: number, messages: readonly Message[]) => void;
};

const patienceMs = 1000;

/**
 * The one write path of orders that are there: read, apply, and write if its version is still the same, else again, at
 * once: each instance has one at it, and whoever paused would lose to the other's next.
 * One write is one version, with all of its events. One that gives portions back goes by the desk, as they were taken.
 */
export const createChangeOrder =
  ({ orders, desk, inTurn, onWritten }: Options): ChangeOrder =>
  (change) =>
    inTurn(change.id, async () => {
      const deadline = performance.now() + patienceMs;
      do {
        const before = await orders.one(change.id);
        const after = before && change.apply(before, new Date());
        if (!before || !after) throw problem('not_found');
        if (after instanceof Problem) throw after;
        if (after === before) return before;
        const returned = portionsReturned(before, after);
        if (returned.size > 0) return desk.change(change, [...returned.keys()]);
        const outbox = await orders.replace({ order: after, ...change.record(before, after, change.by) });
        if (outbox) {
          onWritten(after.id, outbox);
          return after;
        }
      } while (performance.now() < deadline);
      throw problem('service_unavailable', { detail: 'Too many write at once.' }, { 'Retry-After': '1' });
    });
