import type { Outbox, Pending } from '@comanda/shared/messaging/outbox';
import type { Clock } from '@comanda/shared/runtime/clock';
import { callChanged, type CallActor, type TableCall } from './call.ts';
import type { CallStore } from './call-store.ts';
import type { WriteCalls } from './write-calls.ts';

export type EndCallsDeps = {
  calls: Pick<CallStore, 'findActive' | 'update'>;
  writeCalls: WriteCalls;
  outbox: Pick<Outbox, 'publishNow'>;
  clock: Clock;
};
/** Ends a seating's calls. `into`: the seating that its guests have joined, if any. */
export type EndCalls = (ending: {
  seating: number;
  actor: CallActor;
  traceparent: string;
  into?: number;
}) => Promise<void>;

/**
 * Creates the function that marks an ended seating's calls as done, or moves them to the seating `into`. Call it after the end is
 * stored, so that no more calls can be placed. It is safe to repeat.
 * @throws 503 `service_unavailable`
 */
export const createEndCalls =
  ({ calls, writeCalls, outbox, clock }: EndCallsDeps): EndCalls =>
  async ({ seating, actor: { id, role }, traceparent, into }) => {
    const actor = { id, role };
    const written = await writeCalls(async (session) => {
      const active = await calls.findActive(seating, { session });
      const there = into === undefined ? [] : await calls.findActive(into, { session });
      const pending: Pending[] = [];
      const now = new Date(clock());
      for (const each of active) {
        const isAskedThere = there.some(({ kind }) => kind === each.kind);
        const next = { ...each, version: each.version + 1 };
        const call: TableCall =
          into === undefined || isAskedThere ? { ...next, status: 'done', doneAt: now } : { ...next, seating: into };
        const message = callChanged(call, { actor, traceparent, now });
        pending.push({ documentId: call.id, messages: await calls.update({ call, message }, session) });
      }
      return pending;
    });
    for (const { documentId, messages } of written) outbox.publishNow(documentId, messages);
  };
