import {
  mainCashDrawer,
  maxCashDrawers,
  type CashDrawer as CashDrawerRow,
  type putCashDrawer as contract,
} from '@comanda/contracts/cash-drawers';
import { problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { UnitOfWork } from '@comanda/shared/service/unit-of-work';
import type { CounterStore } from '../restaurant/counter-store.ts';
import type { CashDrawerStore } from './cash-drawer-store.ts';
import { findStates, toCashDrawerRow, type CashDrawerState, type CashDrawerStates } from './list-cash-drawers.ts';

/** Writes cash drawers, movements and counts in transactions. */
export type CashWrites = UnitOfWork;
export type PutCashDrawerDeps = CashDrawerStates & {
  cashDrawers: Pick<CashDrawerStore, 'put'>;
  counters: Pick<CounterStore, 'takeEntryIds'>;
  cashWrites: Pick<CashWrites, 'runLocked'>;
};
type Put = { row: CashDrawerRow; isNew: boolean };

/**
 * `PUT /cash-drawers/{name}`: adds a cash drawer, renames it, retires it or brings it back.
 * @throws 409 `cash_drawer_not_empty`; 422 `unprocessable_content`
 */
export async function putCashDrawer(
  deps: PutCashDrawerDeps,
  { params: { name }, body: { label, status } }: Call<typeof contract>,
): Promise<Put> {
  if (name === mainCashDrawer && status === 'retired') throw unfit('/status', `\`${mainCashDrawer}\` is never retired`);
  return deps.cashWrites.runLocked('cash drawers', async (session) => {
    // Until this transaction ends, no cash can move, so a cash drawer that is empty stays empty.
    await deps.counters.takeEntryIds(1, session);
    const all = await findStates(deps, session);
    const before = all.find((each) => each.name === name);
    if (!before && all.length >= maxCashDrawers)
      throw unfit('/name', `there can be at most ${maxCashDrawers} cash drawers`, 'path');
    const after: CashDrawerState = {
      name,
      label: label ?? before?.label ?? name,
      status: status ?? before?.status ?? 'active',
      last: before?.last ?? null,
      moved: before?.moved ?? false,
    };
    if (after.status === 'retired' && before?.status === 'active' && !isEmpty(before))
      throw problem('cash_drawer_not_empty');
    await deps.cashDrawers.put(after, session);
    return { value: { row: toCashDrawerRow(after), isNew: !before }, records: [], events: [] };
  });
}

const isEmpty = ({ moved, last }: CashDrawerState): boolean => !moved && (last?.leftMinor ?? 0) === 0;

const unfit = (pointer: string, detail: string, place?: 'path') =>
  problem('unprocessable_content', { errors: [{ pointer, detail, ...(place && { in: place }) }] });
