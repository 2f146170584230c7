import { problem, Problem } from '@comanda/contracts/problems';

export type InTurn = <T>(key: number, work: () => Promise<T>) => Promise<T>;

/**
 * One at a time for each key, in the order of asking, so that fifty writes to one order meet in this queue and not in
 * the database. Where the database failed whoever went first, those who wait are refused at once, 503: nothing was written.
 */
export function createTurns(): InTurn {
  const last = new Map<number, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const mine = before ? before.then(work, (error: unknown) => afterFailure(error, work)) : work();
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}

function afterFailure<T>(error: unknown, work: () => Promise<T>): Promise<T> {
  if (error instanceof Problem && error.status < 500) return work();
  return Promise.reject(
    problem('service_unavailable', { detail: 'The database does not answer.' }, { 'Retry-After': '1' }),
  );
}
