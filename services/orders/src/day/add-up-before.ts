import { mainCashDrawer } from '@comanda/contracts/cash-drawers';
import { unavailable } from '@comanda/contracts/problem';
import type { RestaurantClock } from '@comanda/contracts/restaurant-clock';
import type { Session, Transactions } from '@comanda/shared/mongo/transactions';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { UnitOfWork } from '@comanda/shared/service/unit-of-work';
import type { CountStore } from '../cash-drawers/count-store.ts';
import type { CashCount } from '../cash-drawers/count.ts';
import type { CounterStore } from '../restaurant/counter-store.ts';
import { addEntries, noEntries, type DayEntries, type Entry } from './day-entries.ts';
import { areMany, enterInParts, findMissing, type Missing, type MissingDeps } from './enter-missing.ts';
import { readEntries, type ReadEntriesDeps } from './read-entries.ts';

export type AddUpDeps = MissingDeps &
  ReadEntriesDeps & {
    counts: Pick<CountStore, 'findBeforeDay' | 'findOldest'>;
    counters: Pick<CounterStore, 'readDay'>;
    transactions: Pick<Transactions, 'run'>;
    restaurantClock: RestaurantClock;
    clock: Clock;
  };
/** A day's entries, up to the id `upTo`. `mainFrom`: the id of the first count of `main`; null if it was never counted. */
type AddedEntries = { day: number; mainFrom: number | null; upTo: number; entries: DayEntries };
export type AddedUp = AddedEntries & {
  missing: Missing;
  /** The last count of each cash drawer before this day. */
  countsBefore: ReadonlyMap<string, CashCount>;
};
export type AddUpBefore = (writes: Pick<UnitOfWork, 'run'>) => Promise<AddedUp>;

/** The longest that one request adds up entries, in milliseconds. */
const timeLimitMs = 700;
const entriesAtOnce = 200;

/**
 * Creates the function that adds up the running day before its closing, while other writes continue: entries are never changed or
 * removed. After the time limit it throws 503 `service_unavailable`, and the next request continues where this one stopped.
 */
export function createAddUpBefore(deps: AddUpDeps, { limitMs = timeLimitMs } = {}): AddUpBefore {
  let kept: AddedEntries | null = null;
  const addUp = async (): Promise<AddedUp> => {
    // The transaction writes nothing, but is committed. So a majority has all that was read, and it may be kept.
    const { isWhole, ...added } = await deps.transactions.run(
      { deadline: performance.now() + 2 * limitMs },
      (session) => readDay(deps, { kept, limitMs, session }),
    );
    kept = added;
    if (!isWhole) throw unfinished();
    return added;
  };
  return async (writes) => {
    const added = await addUp();
    if (!areMany(added.missing)) return added;
    await enterInParts(deps, { found: added.missing, writes });
    return addUp();
  };
}

type Reading = { kept: AddedEntries | null; limitMs: number; session: Session };
async function readDay(deps: AddUpDeps, { kept, limitMs, session }: Reading): Promise<AddedUp & { isWhole: boolean }> {
  const { number: day, marks, last } = await deps.counters.readDay(session);
  const missing = await findMissing(deps, { marks, last, now: new Date(deps.clock()), session });
  const countsBefore = await deps.counts.findBeforeDay(day, session);
  const mainFrom = (await deps.counts.findOldest(mainCashDrawer, session))?.id ?? null;
  const known = kept?.day === day && kept.mainFrom === mainFrom && kept.upTo <= last.entryId ? kept : null;
  let { upTo, entries } = known ?? { upTo: 0, entries: noEntries() };
  const facts = { day, mainFrom, missing, countsBefore };
  const until = performance.now() + limitMs;
  let isStarted = false;
  for await (const some of chunksOf(readEntries(deps, { day, after: upTo, upTo: last.entryId, session }))) {
    if (isStarted && performance.now() > until) return { ...facts, upTo, entries, isWhole: false };
    entries = await addEntries(entries, some, { clock: deps.restaurantClock, mainFrom });
    upTo = some.at(-1)?.entry.id ?? upTo;
    isStarted = true; // each request gets further, however slow the database is
  }
  return { ...facts, upTo: last.entryId, entries, isWhole: true };
}

async function* chunksOf(entries: AsyncIterable<Entry>): AsyncGenerator<Entry[]> {
  let chunk: Entry[] = [];
  for await (const entry of entries)
    if (chunk.push(entry) === entriesAtOnce) {
      yield chunk;
      chunk = [];
    }
  if (chunk.length > 0) yield chunk;
}

const unfinished = () =>
  unavailable({ detail: 'This day has very many entries. Repeat the request: it continues where this one stopped.' });
