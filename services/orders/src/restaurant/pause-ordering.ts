import type { Ordering, putOrdering } from '@comanda/contracts/menu';
import type { Call } from '@comanda/shared/http/api';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import { retryOnConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Clock } from '@comanda/shared/runtime/clock';
import { newMessage } from '../messages.ts';
import { readTime } from '../read-time.ts';
import { toOrdering, type OrderingPause } from './ordering-pause.ts';
import type { RestaurantStore } from './restaurant-store.ts';

export type PauseOrderingDeps = { restaurant: RestaurantStore; outbox: Pick<Outbox, 'publishNow'>; clock: Clock };

/** No attempt begins later than this, so that the caller gets a 503 within 2 s. */
const timeLimitMs = 1000;

/**
 * `PUT /ordering`: customers cannot order until `paused_until`; without it, they can order again at once. It is written
 * again from the beginning if another instance comes first, so that each version is one state.
 * @throws 400 `validation_failed` if `paused_until` is not a date that exists; 503 `service_unavailable`
 */
export async function pauseOrdering(
  { restaurant, outbox, clock }: PauseOrderingDeps,
  { body, context: { traceparent } }: Call<typeof putOrdering>,
): Promise<Ordering> {
  const until = readTime(body.paused_until, { pointer: '/paused_until' }) ?? null;
  const reason = until && (body.reason ?? null);

  return retryOnConflict({ deadline: performance.now() + timeLimitMs }, async () => {
    const { version } = await restaurant.getPause();
    const now = new Date(clock());
    const pause: OrderingPause = { until, reason, version: version + 1 };
    const ordering = toOrdering(pause, now);
    const message = newMessage('ordering.changed', { subject: 'ordering', at: now, traceparent, data: ordering });
    const written = await restaurant.updatePause(pause, message);
    outbox.publishNow(written.documentId, written.outbox);
    return ordering;
  });
}
