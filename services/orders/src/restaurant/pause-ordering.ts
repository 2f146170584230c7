import type { Ordering, putOrdering } from '@comanda/contracts/menu';
import type { Call } from '@comanda/shared/http/api';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import type { Clock } from '@comanda/shared/runtime/clock';
import { newMessage } from '../messages.ts';
import { readTime } from '../read-time.ts';
import { toOrdering } from './ordering-pause.ts';
import type { OrderingPause } from './ordering-pause.ts';
import type { RestaurantStore } from './restaurant-store.ts';

export type PauseOrderingDeps = { restaurant: RestaurantStore; outbox: Pick<Outbox, 'publishNow'>; clock: Clock };

/**
 * `PUT /ordering`: customers cannot order until `paused_until`; without it, they can order again at once.
 * @throws 400 `validation_failed` if `paused_until` is not a date that exists
 */
export async function pauseOrdering(
  { restaurant, outbox, clock }: PauseOrderingDeps,
  { body, context: { traceparent } }: Call<typeof putOrdering>,
): Promise<Ordering> {
  const now = new Date(clock());
  const until = readTime(body.paused_until, { pointer: '/paused_until' }) ?? null;
  const pause: OrderingPause = { until, reason: until && (body.reason ?? null) };
  const ordering = toOrdering(pause, now);
  const message = newMessage('ordering.changed', { subject: 'ordering', at: now, traceparent, data: ordering });

  const written = await restaurant.updatePause(pause, message);
  outbox.publishNow(written.documentId, written.outbox);
  return ordering;
}
