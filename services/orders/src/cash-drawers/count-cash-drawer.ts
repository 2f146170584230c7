import type { countCashDrawer as contract } from '@comanda/contracts/cash-drawers';
import { problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Session, Transactions } from '@comanda/shared/mongo/transactions';
import type { Clock } from '@comanda/shared/runtime/clock';
import { idempotentRequestOf } from '../change-context.ts';
import { toMinor } from '../money.ts';
import type { CounterStore } from '../restaurant/counter-store.ts';
import {
  areMany,
  enterInParts,
  enterMissingMoney,
  findMissing,
  type Missing,
  type MissingDeps,
} from '../day/enter-missing.ts';
import { isLongLock } from '../day/lock-limit.ts';
import type { CashDrawerStore } from './cash-drawer-store.ts';
import { isActive, retiredDrawer, unknownDrawer, type CashDrawers } from './cash-drawer.ts';
import type { CountStore } from './count-store.ts';
import { expectedIn, movementsOfCount, type CashCount } from './count.ts';
import type { MovementStore } from './movement-store.ts';
import type { CashWrites } from './put-cash-drawer.ts';

export type CountDeps = MissingDeps & {
  cashDrawers: Pick<CashDrawerStore, 'findStatuses'>;
  movements: Pick<MovementStore, 'sumOf'>;
  counts: Pick<CountStore, 'findByRequest' | 'findNewest' | 'insert'>;
  counters: Pick<CounterStore, 'readDay'>;
  transactions: Pick<Transactions, 'run'>;
  cashWrites: Pick<CashWrites, 'run' | 'runLocked'>;
  clock: Clock;
};
type CountCall = Call<typeof contract>;
type Counted = { count: CashCount; replayed: boolean };

/** A count writes at most a difference and two movements for what is taken out, and itself. */
const entriesOfCount = 4;
const readLimitMs = 1000;

/**
 * `POST /cash-drawers/{name}/counts`: compares what a person counted with what should be there. Payments wait only while the count
 * is written: what cannot change any more is added up before.
 * @throws 403 `forbidden`; 404 `not_found`; 422 `unprocessable_content`, `idempotency_key_reused`
 */
export async function countCashDrawer(deps: CountDeps, call: CountCall): Promise<Counted> {
  const { caller, body, params } = call;
  if (caller.role !== 'manager' && (body.left ?? body.to) !== undefined)
    throw problem('forbidden', {
      detail: 'Only a manager can leave a part in the cash drawer or say who gets the rest.',
    });
  const countedMinor = toMinor(body.counted);
  const leftMinor = toMinor(body.left ?? body.counted);
  if (leftMinor > countedMinor)
    throw problem('unprocessable_content', { errors: [{ pointer: '/left', detail: 'must be at most `counted`' }] });
  const request = idempotentRequestOf(call);
  return deps.cashWrites.runLocked<Counted>('cash drawers', async (session) => {
    const earlier = request && (await deps.counts.findByRequest(request.key));
    if (earlier) {
      if (earlier.request?.fingerprint !== request.fingerprint) throw problem('idempotency_key_reused');
      return { value: { count: earlier, replayed: true }, unchanged: true };
    }
    const before = await addUpBefore(deps, params.name);
    const { missing } = before;
    const day = await deps.counters.takeEntryIds(entriesOfCount, session, { searched: missing.marks });
    const lockedAt = performance.now();
    const entered = await enterMissingMoney(deps, { found: missing, day, session });
    // Each movement, count and change of a cash drawer takes ids: with none taken since, nothing has to be read again.
    const isSame = entered === 0 && day.last.entryId === before.upTo;
    const { cashDrawers, expectedMinor } = isSame
      ? { ...before, expectedMinor: expectedIn(params.name, before) }
      : await readAgain(deps, { cashDrawer: params.name, before, session });
    const { to = null } = body;
    if (!cashDrawers.has(params.name)) throw problem('not_found');
    if (!isActive(cashDrawers, params.name)) throw retiredDrawer();
    if (to !== null && (to === params.name || !isActive(cashDrawers, to))) throw unknownDrawer('/to');
    const counted = {
      cashDrawer: params.name,
      at: new Date(deps.clock()),
      by: { id: caller.userId, name: caller.name },
      expectedMinor,
      countedMinor,
      differenceMinor: expectedMinor === null ? null : countedMinor - expectedMinor,
      leftMinor,
      to,
    };
    const written = movementsOfCount(counted);
    // A count has a higher id than everything that it has added up.
    const { last } = entered === 0 ? day : await deps.counters.takeEntryIds(entriesOfCount, session);
    const idBefore = last.entryId;
    await deps.movements.insert(written, { idBefore, day: day.number, session });
    // Always the same distance, or the ids of two counts would tell a waiter whether the first one was right.
    const count: CashCount = { ...counted, id: idBefore + entriesOfCount, day: day.number, request };
    await deps.counts.insert(count, session);
    // Orders and payments get their turn before the next attempt.
    if (isLongLock('count', lockedAt)) throw new WriteConflict();
    return { value: { count, replayed: false }, records: [], events: [] };
  });
}

/** `last`: the newest count; `movedMinor`: what moved since it; `upTo`: the id of the last entry that is in `movedMinor`. */
type AddedUp = {
  missing: Missing;
  cashDrawers: CashDrawers;
  last: CashCount | null;
  movedMinor: number;
  upTo: number;
};

/** Adds up, without holding the counters, everything that is stored now. Entries are never changed or removed. */
async function addUpBefore(deps: CountDeps, cashDrawer: string): Promise<AddedUp> {
  const before = await addUp(deps, cashDrawer);
  if (!areMany(before.missing)) return before;
  await enterInParts(deps, { found: before.missing, writes: deps.cashWrites });
  return addUp(deps, cashDrawer);
}

function addUp(deps: CountDeps, cashDrawer: string): Promise<AddedUp> {
  return deps.transactions.run({ deadline: performance.now() + readLimitMs }, async (session) => {
    const { marks, last: numbers } = await deps.counters.readDay(session);
    const missing = await findMissing(deps, { marks, last: numbers, now: new Date(deps.clock()), session });
    const cashDrawers = await deps.cashDrawers.findStatuses(session);
    const upTo = numbers.entryId;
    const last = await deps.counts.findNewest(cashDrawer, { upTo, session });
    const movedMinor = await deps.movements.sumOf(cashDrawer, { after: last?.id ?? 0, upTo, session });
    await session.abortTransaction();
    return { missing, cashDrawers, last, movedMinor, upTo };
  });
}

type Now = { cashDrawer: string; before: AddedUp; session: Session };
/** Reads what may have changed since `before`, in the transaction that has taken the counters. */
async function readAgain(
  { cashDrawers, counts, movements }: Pick<CountDeps, 'cashDrawers' | 'counts' | 'movements'>,
  { cashDrawer, before, session }: Now,
): Promise<{ cashDrawers: CashDrawers; expectedMinor: number | null }> {
  const last = await counts.findNewest(cashDrawer, { session });
  const isSame = (last?.id ?? 0) === (before.last?.id ?? 0);
  const after = isSame ? before.upTo : (last?.id ?? 0);
  const sinceMinor = await movements.sumOf(cashDrawer, { after, upTo: Number.MAX_SAFE_INTEGER, session });
  return {
    cashDrawers: await cashDrawers.findStatuses(session),
    expectedMinor: expectedIn(cashDrawer, { last, movedMinor: (isSame ? before.movedMinor : 0) + sinceMinor }),
  };
}
