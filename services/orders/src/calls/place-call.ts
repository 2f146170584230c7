import { activeCallStatuses, type placeCall as contract } from '@comanda/contracts/calls';
import { problem, type Problem } from '@comanda/contracts/problem';
import { maxCallsPerMinute } from '@comanda/contracts/rules';
import { textKey } from '@comanda/contracts/text-key';
import type { Call } from '@comanda/shared/http/api';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Clock } from '@comanda/shared/runtime/clock';
import { callChanged, type TableCall } from './call.ts';
import type { CallStore } from './call-store.ts';
import type { WriteCalls } from './write-calls.ts';

export type PlaceCallDeps = {
  calls: CallStore;
  /** Finds out which of `seatings` have ended, and which seatings their guests have joined. */
  seatings: { findEnded: (seatings: readonly number[], session: Session) => Promise<ReadonlyMap<number, SeatingEnd>> };
  writeCalls: WriteCalls;
  outbox: Pick<Outbox, 'publishNow'>;
  clock: Clock;
};
type SeatingEnd = { kind: 'closed' } | { kind: 'joined'; into: number };
type Place = { seating: number; table: string | null };
type PlaceCallCall = Call<typeof contract>;

const minuteMs = 60_000;

/**
 * `POST /calls`: places a table's call for service. If the table has an open or taken call of the same kind, returns that call
 * instead.
 * @throws 403 `forbidden`, `table_mismatch`; 409 `seating_closed`; 429 `rate_limited`; 422 `unprocessable_content` if staff send
 * no seating
 */
export async function placeCall(
  { calls, seatings, writeCalls, outbox, clock }: PlaceCallDeps,
  call: PlaceCallCall,
): Promise<{ placed: TableCall; isNew: boolean }> {
  const { caller, body, context } = call;
  const place = placeOf(call);
  const actor = { id: caller.userId, role: caller.role };

  const waiting = await calls.list({ statuses: [...activeCallStatuses], seating: place.seating });
  const repeated = waiting.find(({ kind }) => kind === body.kind);
  if (repeated) return { placed: repeated, isNew: false };
  const written = await writeCalls(async (session, nextId) => {
    const end = (await seatings.findEnded([place.seating], session)).get(place.seating);
    if (end?.kind === 'closed') throw problem('seating_closed');
    const seating = end?.into ?? place.seating;
    const [same] = await calls.findActive(seating, { kind: body.kind, session });
    if (same) {
      await session.abortTransaction();
      return { placed: same, message: null };
    }
    const now = new Date(clock());
    const since = new Date(now.getTime() - minuteMs);
    const refusal = refuseTooMany(await calls.findTimes(seating, { since, session }), now);
    if (refusal) throw refusal;

    const placed: TableCall = {
      id: nextId,
      kind: body.kind,
      note: body.note ?? null,
      method: body.method ?? null,
      table: place.table,
      seating,
      status: 'open',
      version: 1,
      placedBy: actor,
      takenBy: null,
      createdAt: now,
      takenAt: null,
      doneAt: null,
    };
    const write = { call: placed, message: callChanged(placed, { actor, traceparent: context.traceparent, now }) };
    await calls.insert(write, session);
    return { placed, message: write.message };
  });
  const { placed, message } = written;
  if (message) outbox.publishNow(placed.id, [message]);
  return { placed, isNew: message !== null };
}

/** Returns the table and seating that the call is for. Guests call for their own seating, and staff must send one. */
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

/** Returns a problem if there were too many calls. `newestFirst`: the times of the calls in the last minute. */
function refuseTooMany(newestFirst: readonly Date[], now: Date): Problem | null {
  const oldest = newestFirst[maxCallsPerMinute - 1];
  if (!oldest) return null;
  const waitS = Math.max(1, Math.ceil((oldest.getTime() + minuteMs - now.getTime()) / 1000));
  return problem('rate_limited', {}, { 'Retry-After': String(waitS) });
}
