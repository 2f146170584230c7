import type { CashDrawer as CashDrawerRow } from '@comanda/contracts/cash-drawers';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { CashDrawerStore } from './cash-drawer-store.ts';
import type { CashDrawer } from './cash-drawer.ts';
import type { CountStore } from './count-store.ts';
import type { CashCount } from './count.ts';
import type { MovementStore } from './movement-store.ts';

export type CashDrawerStates = {
  cashDrawers: Pick<CashDrawerStore, 'findAll'>;
  movements: Pick<MovementStore, 'findNewestIds'>;
  counts: Pick<CountStore, 'findAllNewest'>;
};
/** `moved`: whether cash moved since the last count. */
export type CashDrawerState = CashDrawer & { last: CashCount | null; moved: boolean };

/** Returns the state of each cash drawer, sorted by name. */
export async function findStates(
  { cashDrawers, movements, counts }: CashDrawerStates,
  session?: Session,
): Promise<CashDrawerState[]> {
  const all = await cashDrawers.findAll(session);
  const newest = await movements.findNewestIds(session);
  const lastCounts = await counts.findAllNewest(session);
  return all.map((each) => {
    const last = lastCounts.get(each.name) ?? null;
    return { ...each, last, moved: (newest.get(each.name) ?? 0) > (last?.id ?? 0) };
  });
}

/** Says nothing of what should be in the cash drawer. */
export const toCashDrawerRow = ({ name, label, status, last, moved }: CashDrawerState): CashDrawerRow => ({
  name,
  label,
  status,
  counted_at: last?.at.toISOString() ?? null,
  moved,
});
