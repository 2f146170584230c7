import type { Session } from '@comanda/shared/mongo/transactions';
import type { CountStore } from '../cash-drawers/count-store.ts';
import type { MovementStore } from '../cash-drawers/movement-store.ts';
import type { ExceptionStore } from '../exceptions/exception-store.ts';
import { inTurns, listInTurns } from '../in-turns.ts';
import type { Entry } from './day-entries.ts';

export type ReadEntriesDeps = {
  movements: Pick<MovementStore, 'read'>;
  counts: Pick<CountStore, 'findOfDay'>;
  exceptions: Pick<ExceptionStore, 'read'>;
};
type Range = { day: number; after?: number; upTo?: number; session?: Session };

/** Reads a day's movements, counts and exceptions, sorted by id: those with ids above `after`, up to `upTo`. */
export async function* readEntries(
  { movements, counts, exceptions }: ReadEntriesDeps,
  { day, after = 0, upTo = Number.MAX_SAFE_INTEGER, session }: Range,
): AsyncGenerator<Entry> {
  const range = { days: [day], after, upTo };
  const counted = (await counts.findOfDay(day, session)).filter(({ id }) => id > after && id <= upTo);
  const excepted = await listInTurns(exceptions.read(range, session), (each) => each);
  const others: Entry[] = [
    ...counted.map((entry) => ({ of: 'count', entry }) as const),
    ...excepted.map((entry) => ({ of: 'exception', entry }) as const),
  ].toSorted((first, second) => first.entry.id - second.entry.id);
  let next = 0;
  for await (const entry of inTurns(movements.read(range, session))) {
    for (; next < others.length && (others[next]?.entry.id ?? 0) < entry.id; next++) yield others[next] as Entry;
    yield { of: 'movement', entry };
  }
  for (; next < others.length; next++) yield others[next] as Entry;
}
