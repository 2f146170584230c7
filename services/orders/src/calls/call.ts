import {
  callTransitions,
  setsCallStatus,
  type CallKind,
  type CallMethod,
  type CallStatus,
  type TableCall as CallResponse,
} from '@comanda/contracts/calls';
import type { Role } from '@comanda/contracts/endpoint';
import { problem, type Problem } from '@comanda/contracts/problem';
import type { Message } from '@comanda/shared/messaging/publisher';
import type { UnitOfWork } from '@comanda/shared/service/unit-of-work';
import { newMessage } from '../messages.ts';
import { fromMinor } from '../money.ts';

/** The user who placed or took a call. The name is left out, so that guests don't learn the names of staff. */
export type CallActor = { id: number; role: Role };
/** A table's call for service. */
export type TableCall = {
  id: number;
  kind: CallKind;
  note: string | null;
  /** How the guests want to pay; null unless `kind` is `bill`. */
  method: CallMethod | null;
  /** What this guest wants to pay of the bill; null for calls of the whole table. */
  amountMinor: number | null;
  table: string | null;
  seating: number;
  status: CallStatus;
  version: number;
  placedBy: CallActor;
  takenBy: CallActor | null;
  createdAt: Date;
  takenAt: Date | null;
  doneAt: Date | null;
};

/**
 * Returns true if `call` is the same as `other`, so that it isn't placed again: of the same kind, and for the whole table or with an
 * amount from the same guest.
 */
export const isSameCall = (call: CallKey, other: CallKey): boolean =>
  call.kind === other.kind &&
  (call.amountMinor === null
    ? other.amountMinor === null
    : other.amountMinor !== null && call.placedBy.id === other.placedBy.id);
type CallKey = Pick<TableCall, 'kind' | 'amountMinor' | 'placedBy'>;

/** Writes calls with their events in one transaction. Lock `calls` first, so that writes in this process don't conflict. */
export type CallWrites = UnitOfWork<never, 'calls'>;

type StatusChange = { to: CallStatus; actor: CallActor; now: Date };

/**
 * Returns the call after the change; the same object if nothing changes; or a problem. Checks the caller's permissions before the
 * call's status. A waiter can't take a call that another waiter has taken.
 */
export function changeCallStatus(call: TableCall, { to, actor, now }: StatusChange): TableCall | Problem {
  if (!setsCallStatus(actor.role, to)) return problem('forbidden');
  const isOfAnother = to === 'taken' && call.takenBy !== null && call.takenBy.id !== actor.id;
  if (call.status === to && !isOfAnother) return call;
  const side = actor.role === 'customer' ? 'guest' : 'staff';
  const allowed = callTransitions[call.status].filter(({ who }) => who === side).map((each) => each.to);
  if (!allowed.includes(to))
    return problem('illegal_transition', {
      allowed_transitions: allowed,
      ...(call.takenBy && side === 'staff' && { taken_by: call.takenBy }),
    });
  const changed = { ...call, status: to, version: call.version + 1 };
  if (to === 'open') return { ...changed, takenBy: null, takenAt: null };
  return to === 'taken' ? { ...changed, takenBy: actor, takenAt: now } : { ...changed, doneAt: now };
}

export const toCallResponse = (call: TableCall): CallResponse => ({
  id: call.id,
  kind: call.kind,
  note: call.note,
  method: call.method,
  amount: call.amountMinor === null ? null : fromMinor(call.amountMinor),
  table: call.table,
  seating: call.seating,
  status: call.status,
  version: call.version,
  placed_by: call.placedBy,
  taken_by: call.takenBy,
  created_at: call.createdAt.toISOString(),
  taken_at: call.takenAt?.toISOString() ?? null,
  done_at: call.doneAt?.toISOString() ?? null,
});

type ChangeContext = { actor: CallActor; traceparent: string; now: Date };

/** Creates the event for a new or changed call. The event is stored in the same write as the call. */
export const callChanged = (call: TableCall, { actor: { id, role }, traceparent, now }: ChangeContext): Message =>
  newMessage('call.changed', {
    subject: String(call.id),
    at: now,
    traceparent,
    data: { call: toCallResponse(call), actor: { id, role } },
  });
