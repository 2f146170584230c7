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
/** What is done for a seating, and by whom. */
export type EndCalls = (ending: { seating: number; actor: CallActor; traceparent: string }) => Promise<void>;

/**
 * Nobody waits at a seating that has ended: its calls are done. Called after the end was stored, so that no call is made
 * after it. It may be repeated.
 * @throws 503 `service_unavailable`
 */
export const createEndCalls =
  ({ calls, writeCalls, outbox, clock }: EndCallsDeps): EndCalls =>
  async ({ seating, actor: { id, role }, traceparent }) => {
    const actor = { id, role };
    const written = await writeCalls(async (session) => {
      const active = await calls.findActive(seating, { session });
      const pending: Pending[] = [];
      const now = new Date(clock());
      for (const each of active) {
        const call: TableCall = { ...each, status: 'done', version: each.version + 1, doneAt: now };
        const message = callChanged(call, { actor, traceparent, now });
        pending.push({ documentId: call.id, messages: await calls.update({ call, message }, session) });
      }
      return pending;
    });
    for (const { documentId, messages } of written) outbox.publishNow(documentId, messages);
  };
