import type { Session } from '@comanda/shared/mongo/transactions';
import type { DayBillStore } from './day-bill-store.ts';

export type OpenBills = ReturnType<typeof createOpenBills>;

/**
 * Creates what finds the open bills with lines. A bill gets a new version with each change of its lines, so only bills with a new
 * version are searched: bills without lines stay open, and become many in time.
 */
export function createOpenBills({ listOpen, findWithLines }: Pick<DayBillStore, 'listOpen' | 'findWithLines'>) {
  let known: ReadonlyMap<number, { version: number; hasLines: boolean }> = new Map();
  return {
    /** Finds the ids of open bills with lines, oldest first. A bill with archived orders counts as one with lines. */
    findWithLines: async (session?: Session): Promise<number[]> => {
      const before = known;
      const open = await listOpen(session);
      const isKnown = ({ id, version }: (typeof open)[number]): boolean => before.get(id)?.version === version;
      const others = open.filter((each) => !isKnown(each)).map(({ id }) => id);
      const found = await findWithLines(others, session);
      const rows = open.map((each) => {
        const hasLines = isKnown(each) ? before.get(each.id)?.hasLines === true : found.has(each.id);
        return { ...each, hasLines };
      });
      // What a transaction reads may be undone, so it isn't kept.
      if (!session) known = new Map(rows.map(({ id, version, hasLines }) => [id, { version, hasLines }]));
      return rows.filter(({ hasLines, areOrdersArchived }) => hasLines || areOrdersArchived).map(({ id }) => id);
    },
  };
}
