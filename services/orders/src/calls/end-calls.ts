import type { Clock } from '@comanda/shared/runtime/clock';
import type { IdStore } from '../restaurant/id-store.ts';
import { callChanged, isSameCall, type CallActor, type CallWrites, type TableCall } from './call.ts';
import type { CallStore } from './call-store.ts';

export type EndCallsDeps = {
  calls: Pick<CallStore, 'findActive' | 'update'>;
  ids: Pick<IdStore, 'takeCallId'>;
  callWrites: Pick<CallWrites, 'runLocked'>;
  clock: Clock;
};
/** `into`: the seating into which the ended seating was joined; absent if it was closed. */
type Ending = { seating: number; actor: CallActor; traceparent: string; into?: number };

/**
 * Marks an ended seating's calls as done, or moves them to the seating `into`. Call this after the seating's end is stored, so
 * that no new calls can be placed. It is safe to repeat.
 * @throws 503 `service_unavailable`
 */
export async function endCalls(
  { calls, ids, callWrites, clock }: EndCallsDeps,
  { seating, actor: { id, role }, traceparent, into }: Ending,
): Promise<void> {
  const actor = { id, role };
  await callWrites.runLocked('calls', async (session) => {
    // Taking an id conflicts with calls that are placed at the same time. The id itself is not used.
    await ids.takeCallId(session);
    const active = await calls.findActive(seating, { session });
    const there = into === undefined ? [] : await calls.findActive(into, { session });
    const events = [];
    const now = new Date(clock());
    for (const each of active) {
      const isAskedThere = there.some((other) => isSameCall(each, other));
      const next = { ...each, version: each.version + 1 };
      const call: TableCall =
        into === undefined || isAskedThere ? { ...next, status: 'done', doneAt: now } : { ...next, seating: into };
      const messages = await calls.update({ call, message: callChanged(call, { actor, traceparent, now }) }, session);
      events.push({ outbox: 'calls' as const, documentId: call.id, messages });
    }
    return { value: undefined, records: [], events };
  });
}
