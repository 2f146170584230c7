import type { AuditType } from '@comanda/contracts/audit';
import type { StopName } from '@comanda/contracts/stops';
import type { Consent, Consume, SensitiveCall } from '@comanda/shared/http/step-up';
import type { Caller } from '@comanda/shared/http/token-verifier';
import { messagesOf } from '@comanda/shared/messaging/new-message';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Origin } from '../security-log/security-event.ts';
import type { AuditedWork } from '../security-log/audited-work.ts';
import { authorizeManager } from '../users/authorize-manager.ts';
import type { UserStore } from '../users/user-store.ts';
import { toStopsResponse, type Stops } from './stop.ts';
import type { StopStore } from './stop-store.ts';

export type PutStopDeps = {
  users: Pick<UserStore, 'lockManager'>;
  stops: Pick<StopStore, 'get' | 'update'>;
  consume: Consume;
  unitOfWork: AuditedWork<'stops'>;
  clock: Clock;
};
type PutStopCall = SensitiveCall & {
  caller: Pick<Caller, 'userId'>;
  params: { name: StopName };
  body: { stopped: boolean; reason?: string };
};

const newMessage = messagesOf('/auth-stepup');

/**
 * Stops transfers or sign-ups for all users, or resumes them, on behalf of a manager. One transaction stores the stop, its event
 * and the manager. Each call is stored as a change, even if it repeats the last one.
 * @throws the `step_up_…` problems; 401 `invalid_token` or 403 `forbidden` if the caller is no longer a manager
 */
export async function putStop(
  deps: PutStopDeps,
  call: PutStopCall,
  origin: Origin,
): Promise<{ stops: Stops; consent: Consent }> {
  const { stops, consume, unitOfWork, clock } = deps;
  const { userId: managerId } = call.caller;
  const { name } = call.params;
  const { stopped, reason = null } = call.body;

  const consent = await consume(call);
  const changed = await unitOfWork.run(async (session) => {
    await authorizeManager(deps, managerId, session);
    const before = await stops.get(session);
    const time = clock();
    const stop = stopped ? { since: before[name]?.since ?? new Date(time), by: managerId, reason } : null;
    const after: Stops = { ...before, [name]: stop, version: before.version + 1 };
    const message = newMessage('stops.changed', {
      subject: 'stops',
      at: new Date(time),
      traceparent: call.context.traceparent,
      data: toStopsResponse(after),
    });
    const messages = await stops.update(after, { message, session });
    const type: AuditType = `${name}_${stopped ? 'stopped' : 'resumed'}`;
    const details = reason === null ? {} : { reason };
    const actor = { id: managerId, role: 'manager' } as const;
    const entry = { type, time, actor, userId: null, details, origin, jti: consent.jti };
    return { value: after, records: [entry], events: [{ outbox: 'stops', documentId: 'stops', messages }] };
  });
  return { stops: changed, consent };
}
