import type { endSeating as contract } from '@comanda/contracts/internal';
import type { Call } from '@comanda/shared/http/api';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import type { Message } from '@comanda/shared/messaging/publisher';
import { retryOnConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Transactions } from '@comanda/shared/mongo/transactions';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { EndCalls } from '../calls/end-calls.ts';
import { newMessage } from '../messages.ts';
import type { RestaurantStore } from '../restaurant/restaurant-store.ts';
import type { EndedSeatingStore } from './ended-seating-store.ts';

export type EndSeatingDeps = {
  seatings: Pick<EndedSeatingStore, 'insert' | 'closeJoined' | 'join'>;
  restaurant: Pick<RestaurantStore, 'markSeatingEnded'>;
  transactions: Transactions;
  endCalls: EndCalls;
  outbox: Pick<Outbox, 'publishNow'>;
  clock: Clock;
};
type EndSeatingCall = Pick<Call<typeof contract>, 'caller' | 'body' | 'context'> & {
  /**
   * What staff close: a table or a bill. A table keeps a joined seating only if the join failed halfway; closing the table then
   * ends the seating for good. Such a seating's bill is closed after its guests have joined the other seating.
   */
  of: 'table' | 'bill';
};

/** In milliseconds. No attempt starts later than this after the request, so that the caller gets a 503 within 2 s. */
const timeLimitMs = 1200;

/**
 * Ends a seating, for `POST /internal/ended-seatings` and when a bill is closed. Once this returns, no more orders are accepted
 * for the seating, and its calls are done. With `into`, new orders and open calls go to that seating instead, and earlier orders
 * stay. It is safe to repeat; only the first time is published. auth-stepup publishes joins (`table.changed`).
 * @throws 503 `service_unavailable`: the seating may or may not have ended
 */
export async function endSeating(deps: EndSeatingDeps, call: EndSeatingCall): Promise<void> {
  const { endCalls, outbox } = deps;
  const { caller, body, context } = call;
  const { seating, into } = body;
  outbox.publishNow(seating, await storeEnd(deps, call));
  const actor = { id: caller.userId, role: caller.role };
  await endCalls({ seating, actor, traceparent: context.traceparent, ...(into !== undefined && { into }) });
}

/** Stores the end. Returns its event as a list, which is empty if the seating had already ended or was joined. */
async function storeEnd(
  { seatings, restaurant, transactions, clock }: EndSeatingDeps,
  { body: { seating, table, into }, context: { traceparent }, of }: EndSeatingCall,
): Promise<Message[]> {
  const endedAt = new Date(clock());
  const data = { seating, table, closed_at: endedAt.toISOString() };
  const message = newMessage('seating.closed', { subject: String(seating), at: endedAt, traceparent, data });
  const deadline = performance.now() + timeLimitMs;
  return retryOnConflict({ deadline }, () =>
    transactions.run({ deadline }, async (session) => {
      await restaurant.markSeatingEnded(seating, session);
      if (into !== undefined) {
        await seatings.join({ seating, table, endedAt, into }, session);
        return [];
      }
      const end = { seating, table, endedAt, message };
      const isNew = await seatings.insert(end, session);
      return isNew || (of === 'table' && (await seatings.closeJoined(end, session))) ? [message] : [];
    }),
  );
}
