import type { endSeating as contract } from '@comanda/contracts/internal';
import type { Call } from '@comanda/shared/http/api';
import type { UnitOfWork } from '@comanda/shared/service/unit-of-work';
import { endCalls, type EndCallsDeps } from '../calls/end-calls.ts';
import { newMessage } from '../messages.ts';
import type { CounterStore } from '../restaurant/counter-store.ts';
import type { EndedSeatingStore } from './ended-seating-store.ts';

/** Writes ended seatings with their events in one transaction. */
export type SeatingWrites = UnitOfWork<never, 'seatings'>;
export type EndSeatingDeps = EndCallsDeps & {
  seatings: Pick<EndedSeatingStore, 'insert' | 'closeJoined' | 'join'>;
  counters: Pick<CounterStore, 'markSeatingEnded'>;
  seatingWrites: Pick<SeatingWrites, 'run'>;
};
type EndSeatingCall = Pick<Call<typeof contract>, 'caller' | 'body' | 'context'> & {
  /**
   * Whether staff are closing a table or a bill. Closing a table ends its seating for good. If that seating was joined into
   * another one, the join failed halfway, because the table would otherwise no longer have it. Closing the bill of a joined
   * seating does not end it for good, because its guests are at the other seating.
   */
  of: 'table' | 'bill';
};

/**
 * Ends a seating, for `POST /internal/ended-seatings` and when a bill is closed. Once this returns, no more orders are accepted
 * for the seating, and its calls are done. With `into`, new orders and open calls go to that seating instead, and earlier orders
 * stay. It is safe to repeat: only the first end is published. For joins, auth-stepup publishes `table.changed` instead.
 * @throws 503 `service_unavailable`; the seating may or may not have ended
 */
export async function endSeating(deps: EndSeatingDeps, call: EndSeatingCall): Promise<void> {
  const { caller, body, context } = call;
  const { seating, into } = body;
  await storeEnd(deps, call);
  const actor = { id: caller.userId, role: caller.role };
  await endCalls(deps, { seating, actor, traceparent: context.traceparent, ...(into !== undefined && { into }) });
}

/** Stores the end, and publishes `seating.closed`. Publishes nothing if the seating was joined or had already ended. */
async function storeEnd(
  { seatings, counters, seatingWrites, clock }: EndSeatingDeps,
  { body: { seating, table, into }, context: { traceparent }, of }: EndSeatingCall,
): Promise<void> {
  const endedAt = new Date(clock());
  const data = { seating, table, closed_at: endedAt.toISOString() };
  const message = newMessage('seating.closed', { subject: String(seating), at: endedAt, traceparent, data });
  const event = { outbox: 'seatings', documentId: seating, messages: [message] } as const;
  await seatingWrites.run(async (session) => {
    await counters.markSeatingEnded(seating, session);
    if (into !== undefined) {
      await seatings.join({ seating, table, endedAt, into }, session);
      return { value: undefined, records: [], events: [] };
    }
    const end = { seating, table, endedAt, message };
    const isNew = await seatings.insert(end, session);
    const isPublished = isNew || (of === 'table' && (await seatings.closeJoined(end, session)));
    return { value: undefined, records: [], events: isPublished ? [event] : [] };
  });
}
