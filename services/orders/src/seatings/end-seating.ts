import type { endSeating as contract } from '@comanda/contracts/orders';
import type { Call } from '@comanda/shared/http/api';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { EndCalls } from '../calls/end-calls.ts';
import { newMessage } from '../messages.ts';
import type { RestaurantStore } from '../restaurant/restaurant-store.ts';
import type { EndedSeatingStore } from './ended-seating-store.ts';

export type EndSeatingDeps = {
  seatings: Pick<EndedSeatingStore, 'insert'>;
  restaurant: Pick<RestaurantStore, 'passTransactions'>;
  endCalls: EndCalls;
  outbox: Pick<Outbox, 'publishNow'>;
  clock: Clock;
};

/**
 * `POST /internal/ended-seatings`: once this returns, no order is accepted for the seating any more, and its calls
 * are done. Orders that were accepted before stay. It may be repeated; only the first time is published.
 * @throws 503 `service_unavailable`: then it may have ended or not, and orders may still be accepted
 */
export async function endSeating(
  { seatings, restaurant, endCalls, outbox, clock }: EndSeatingDeps,
  { caller, body: { seating, table }, context: { traceparent } }: Call<typeof contract>,
): Promise<void> {
  const endedAt = new Date(clock());
  const data = { seating, table, closed_at: endedAt.toISOString() };
  const message = newMessage('seating.closed', { subject: String(seating), at: endedAt, traceparent, data });
  const isNew = await seatings.insert({ seating, table, endedAt, message });
  // Also if it is not new: the call that stored it may have failed here.
  await restaurant.passTransactions();
  if (isNew) outbox.publishNow(seating, [message]);
  await endCalls({ seating, actor: { id: caller.userId, role: caller.role }, traceparent });
}
