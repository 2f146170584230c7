import type { endSeating as contract } from '@comanda/contracts/orders';
import type { Call } from '@comanda/shared/http/api';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { EndCalls } from '../calls/end-calls.ts';
import { newMessage } from '../messages.ts';
import type { RestaurantStore } from '../restaurant/restaurant-store.ts';
import type { EndedSeatingStore } from './ended-seating-store.ts';

export type EndSeatingDeps = {
  seatings: Pick<EndedSeatingStore, 'insert' | 'closeJoined' | 'join'>;
  restaurant: Pick<RestaurantStore, 'passTransactions'>;
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

/**
 * `POST /internal/ended-seatings`, and the end of a bill: once this returns, no order is accepted for the seating any more,
 * and its calls are done; with `into`, what is ordered and called for it belongs to that seating. Orders that were accepted
 * before stay. It may be repeated; only the first time is published. That a seating was joined, auth-stepup tells
 * (`table.changed`).
 * @throws 503 `service_unavailable`: then it may have ended or not, and orders may still be accepted
 */
export async function endSeating(deps: EndSeatingDeps, call: EndSeatingCall): Promise<void> {
  const { seatings, restaurant, endCalls, outbox, clock } = deps;
  const { caller, body, context } = call;
  const { seating, table, into } = body;
  const endedAt = new Date(clock());
  const messages = into === undefined ? await storeEnd(deps, { call, endedAt }) : [];
  if (into !== undefined) await seatings.join({ seating, table, endedAt, into });
  // Also if it is not new: the call that stored it may have failed here.
  await restaurant.passTransactions();
  outbox.publishNow(seating, messages);
  const actor = { id: caller.userId, role: caller.role };
  await endCalls({ seating, actor, traceparent: context.traceparent, ...(into !== undefined && { into }) });
}

/** Returns the event that it has stored; none if the seating had ended before. */
async function storeEnd(
  { seatings }: EndSeatingDeps,
  { call: { body, context, of }, endedAt }: { call: EndSeatingCall; endedAt: Date },
): Promise<Message[]> {
  const { seating, table } = body;
  const data = { seating, table, closed_at: endedAt.toISOString() };
  const { traceparent } = context;
  const message = newMessage('seating.closed', { subject: String(seating), at: endedAt, traceparent, data });
  const end = { seating, table, endedAt, message };
  const isNew = (await seatings.insert(end)) || (of === 'table' && (await seatings.closeJoined(end)));
  return isNew ? [message] : [];
}
