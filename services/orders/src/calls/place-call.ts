import { activeCallStatuses, type placeCall as contract } from '@comanda/contracts/calls';
import { problem, type Problem } from '@comanda/contracts/problem';
import { maxCallsPerMinute } from '@comanda/contracts/rules';
import { textKey } from '@comanda/contracts/text-key';
import type { Call } from '@comanda/shared/http/api';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Clock } from '@comanda/shared/runtime/clock';
import { callChanged, isSameCall, type CallWrites, type TableCall } from './call.ts';
import type { CallStore } from './call-store.ts';
import { toMinor } from '../money.ts';
import type { IdStore } from '../restaurant/id-store.ts';

export type PlaceCallDeps = {
  calls: CallStore;
  /** Finds out which of `seatings` have ended, and into which seatings they were joined. */
  seatings: { findEnded: (seatings: readonly number[], session: Session) => Promise<ReadonlyMap<number, SeatingEnd>> };
  ids: Pick<IdStore, 'takeCallId'>;
  callWrites: Pick<CallWrites, 'runLocked'>;
  clock: Clock;
};
type SeatingEnd = { kind: 'closed' } | { kind: 'joined'; into: number };
type Place = { seating: number; table: string | null };
/** `isNew`: false if the table already had this call. */
type PlacedCall = { placed: TableCall; isNew: boolean };
type PlaceCallCall = Call<typeof contract>;

const minuteMs = 60_000;

/**
 * `POST /calls`: places a table's call for service. If the same call is already open or taken, returns that one instead.
 * @throws 403 `forbidden`, `table_mismatch`; 409 `seating_closed`; 429 `rate_limited`; 422 `unprocessable_content` if staff send
 * no seating
 */
export async function placeCall(
  { calls, seatings, ids, callWrites, clock }: PlaceCallDeps,
  call: PlaceCallCall,
): Promise<PlacedCall> {
  const { caller, body, context } = call;
  const place = placeOf(call);
  const actor = { id: caller.userId, role: caller.role };

  const waiting = await calls.list({ statuses: [...activeCallStatuses], seating: place.seating });
  const asked = {
    kind: body.kind,
    amountMinor: body.amount === undefined ? null : toMinor(body.amount),
    placedBy: actor,
  };
  const repeated = waiting.find((each) => isSameCall(each, asked));
  if (repeated) return { placed: repeated, isNew: false };
  return callWrites.runLocked<PlacedCall>('calls', async (session) => {
    // Locks the calls. Until this transaction ends, no other call can be placed, and no seating's calls can be ended.
    const id = await ids.takeCallId(session);
    const end = (await seatings.findEnded([place.seating], session)).get(place.seating);
    if (end?.kind === 'closed') throw problem('seating_closed');
    const seating = end?.into ?? place.seating;
    const same = (await calls.findActive(seating, { session })).find((each) => isSameCall(each, asked));
    if (same) return { value: { placed: same, isNew: false }, unchanged: true };
    const now = new Date(clock());
    const since = new Date(now.getTime() - minuteMs);
    const refusal = refuseTooMany(await calls.findTimes(seating, { since, session }), now);
    if (refusal) throw refusal;

    const placed: TableCall = {
      id,
      ...asked,
      note: body.note ?? null,
      method: body.method ?? null,
      table: place.table,
      seating,
      status: 'open',
      version: 1,
      takenBy: null,
      createdAt: now,
      takenAt: null,
      doneAt: null,
    };
    const message = callChanged(placed, { actor, traceparent: context.traceparent, now });
    await calls.insert({ call: placed, message }, session);
    const events = [{ outbox: 'calls', documentId: id, messages: [message] }] as const;
    return { value: { placed, isNew: true }, records: [], events };
  });
}

/**
 * Returns the table and the seating that the call is for. Guests can only call for their own seating. Staff must name the
 * seating.
 */
function placeOf({ caller, body: { seating, table } }: PlaceCallCall): Place {
  if (caller.role !== 'customer') {
    if (seating === undefined) throw seatingRequired();
    return { seating, table: table ?? null };
  }
  if (caller.seating === undefined || seating !== undefined) throw problem('forbidden');
  if (table !== undefined && textKey(table) !== textKey(caller.table ?? '')) throw problem('table_mismatch');
  return { seating: caller.seating, table: caller.table ?? null };
}

const seatingRequired = (): Problem =>
  problem('unprocessable_content', { errors: [{ pointer: '/seating', detail: 'is required when staff call' }] });

/** Rejects the call if the seating has placed too many. `newestFirst`: when its calls in the last minute were placed. */
function refuseTooMany(newestFirst: readonly Date[], now: Date): Problem | null {
  const oldest = newestFirst[maxCallsPerMinute - 1];
  if (!oldest) return null;
  const waitS = Math.max(1, Math.ceil((oldest.getTime() + minuteMs - now.getTime()) / 1000));
  return problem('rate_limited', {}, { 'Retry-After': String(waitS) });
}
