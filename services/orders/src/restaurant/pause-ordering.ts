import type { Ordering, putOrdering } from '@comanda/contracts/ordering';
import type { Call } from '@comanda/shared/http/api';
import type { Clock } from '@comanda/shared/runtime/clock';
import { actorOf } from '../actor.ts';
import type { MenuChange, RecordedWrites } from '../menu/menu-change.ts';
import { newMessage } from '../messages.ts';
import { toOrdering, type OrderingPause } from './ordering-pause.ts';
import type { OrderingPauseStore } from './ordering-pause-store.ts';
import { checkWaiterPause } from './waiter-pause.ts';

export type PauseOrderingDeps = {
  pause: OrderingPauseStore;
  recordedWrites: Pick<RecordedWrites, 'runLocked'>;
  clock: Clock;
};

/**
 * `PUT /ordering`: stops customers' orders until `paused_until`. Without that field, customers can order again immediately. If
 * another instance writes first, the change starts again, so that two changes never get the same version.
 * @throws 422 `unprocessable_content` if a waiter's pause is too long; 403 `forbidden` if a waiter would change a longer pause; 503
 * `service_unavailable`
 */
export async function pauseOrdering(
  { pause: pauses, recordedWrites, clock }: PauseOrderingDeps,
  { body, caller, context: { traceparent } }: Call<typeof putOrdering>,
): Promise<Ordering> {
  const until = body.paused_until === undefined ? null : new Date(body.paused_until);
  const reason = until && (body.reason ?? null);

  return recordedWrites.runLocked('ordering', async (session) => {
    const before = await pauses.get(session);
    const now = new Date(clock());
    if (caller.role !== 'manager') checkWaiterPause({ before, until }, now);
    const pause: OrderingPause = { until, reason, version: before.version + 1 };
    const after = toOrdering(pause, now);
    const message = newMessage('ordering.changed', { subject: 'ordering', at: now, traceparent, data: after });
    const messages = await pauses.update(pause, { message, session });
    const change = changeOfOrdering({ before: toOrdering(before, now), after }, { at: now, actor: actorOf(caller) });
    return { value: after, records: [change], events: [{ outbox: 'restaurant', documentId: 'ordering', messages }] };
  });
}

type BeforeAndAfter = Record<'before' | 'after', Ordering>;

/** Returns the record of the change, even if the call changes nothing. */
const changeOfOrdering = ({ before, after }: BeforeAndAfter, who: Pick<MenuChange, 'at' | 'actor'>): MenuChange => ({
  ...who,
  type: 'ordering_changed',
  dish: null,
  optionGroup: null,
  before: { paused_until: before.paused_until, reason: before.reason },
  after: { paused_until: after.paused_until, reason: after.reason },
});
