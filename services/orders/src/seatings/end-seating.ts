import type { endSeating as contract } from '@comanda/contracts/orders';
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
   * What staff close. A table has a seating that was joined only if the join failed in between: then it ends for good. The bill
   * of such a seating is closed after its guests have gone on in the other one.
   */
  of: 'table' | 'bill';
};

/** No attempt begins later than this after the request, so that its caller gets a 503 within 2 s. */
const timeLimitMs = 1200;

/**
 * `POST /internal/ended-seatings`, and the end of a bill: once this returns, no order is accepted for the seating any more,
 * and its calls are done; with `into`, what is ordered and called for it belongs to that seating. Orders that were accepted
 * before stay. It may be repeated; only the first time is published. That a seating was joined, auth-stepup tells
 * (`table.changed`).
 * @throws 503 `service_unavailable`: then it may have ended or not
 */
export async function endSeating(deps: EndSeatingDeps, call: EndSeatingCall): Promise<void> {
  const { endCalls, outbox } = deps;
  const { caller, body, context } = call;
  const { seating, into } = body;
  outbox.publishNow(seating, await storeEnd(deps, call));
  const actor = { id: caller.userId, role: caller.role };
  await endCalls({ seating, actor, traceparent: context.traceparent, ...(into !== undefined && { into }) });
}

/** Returns the event that it has stored; none if the seating had ended before, or was joined. */
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
