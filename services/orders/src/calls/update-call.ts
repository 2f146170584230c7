import type { updateCall as contract } from '@comanda/contracts/calls';
import { problem, Problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { Caller } from '@comanda/shared/http/token-verifier';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import { retryOnConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Clock } from '@comanda/shared/runtime/clock';
import { callChanged, changeCallStatus, type TableCall } from './call.ts';
import type { CallStore } from './call-store.ts';

export type UpdateCallDeps = {
  calls: Pick<CallStore, 'find' | 'update'>;
  outbox: Pick<Outbox, 'publishNow'>;
  clock: Clock;
};

const timeLimitMs = 1200;

/**
 * `PUT /calls/{id}`: staff take, release or finish a call; guests at the call's seating can cancel it. If two waiters take a call
 * at the same time, the first one gets it.
 * @throws 404 `not_found`, 403 `forbidden`, 409 `illegal_transition`
 */
export async function updateCall(
  { calls, outbox, clock }: UpdateCallDeps,
  { params, body: { status: to }, caller, context: { traceparent } }: Call<typeof contract>,
): Promise<TableCall> {
  const actor = { id: caller.userId, role: caller.role };
  const deadline = performance.now() + timeLimitMs;
  return retryOnConflict({ deadline }, async () => {
    const before = await calls.find(params.id);
    if (!before || !maySee(before, caller)) throw problem('not_found');
    const now = new Date(clock());
    const call = changeCallStatus(before, { to, actor, now });
    if (call instanceof Problem) throw call;
    if (call === before) return before;
    const messages = await calls.update({ call, message: callChanged(call, { actor, traceparent, now }) });
    outbox.publishNow(call.id, messages);
    return call;
  });
}

const maySee = ({ seating }: TableCall, caller: Caller): boolean =>
  caller.role !== 'customer' || caller.seating === seating;
