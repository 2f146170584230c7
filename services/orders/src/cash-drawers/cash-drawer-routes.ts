import * as contract from '@comanda/contracts/cash-drawers';
import { problem } from '@comanda/contracts/problem';
import type { Api } from '@comanda/shared/http/api';
import { nextLink } from '@comanda/shared/http/next-link';
import { addMovement, type AddMovementDeps } from './add-movement.ts';
import { countCashDrawer, type CountDeps } from './count-cash-drawer.ts';
import type { CountStore } from './count-store.ts';
import { toCountRow } from './count.ts';
import { findStates, toCashDrawerRow, type CashDrawerStates } from './list-cash-drawers.ts';
import type { MovementStore } from './movement-store.ts';
import { toMovementRow } from './movement.ts';
import { putCashDrawer, type PutCashDrawerDeps } from './put-cash-drawer.ts';

export type CashDrawerRouteDeps = PutCashDrawerDeps &
  AddMovementDeps &
  CountDeps & {
    movements: Pick<MovementStore, 'listByHand'>;
    counts: Pick<CountStore, 'listPage'>;
  };

export function registerCashDrawerRoutes({ handle }: Api, deps: CashDrawerRouteDeps): void {
  handle(contract.listCashDrawers, async () => ({
    status: 200,
    body: (await findStates(deps)).map(toCashDrawerRow),
  }));
  handle(contract.putCashDrawer, async (call) => {
    const { row, isNew } = await putCashDrawer(deps, call);
    return { status: isNew ? 201 : 200, body: row };
  });
  handle(contract.listMovements, async ({ params: { name }, query }) => {
    await assertKnown(deps, name);
    const last = await deps.counts.findNewest(name);
    const page = { below: belowOf(query.cursor), limit: limitOf(query) + 1 };
    const found = await deps.movements.listByHand({ cashDrawer: name, after: last?.id ?? 0, ...page });
    return {
      status: 200,
      body: found.slice(0, limitOf(query)).map(toMovementRow),
      headers: nextLink(`/cash-drawers/${name}/movements`, query, nextOf(found, limitOf(query))),
    };
  });
  handle(contract.listCounts, async ({ params: { name }, query }) => {
    await assertKnown(deps, name);
    const found = await deps.counts.listPage(name, { below: belowOf(query.cursor), limit: limitOf(query) + 1 });
    return {
      status: 200,
      body: found.slice(0, limitOf(query)).map((count) => toCountRow(count, { isManager: true })),
      headers: nextLink(`/cash-drawers/${name}/counts`, query, nextOf(found, limitOf(query))),
    };
  });
  handle(contract.addMovement, async (call) => {
    const { movements, replayed } = await addMovement(deps, call);
    return { status: 201, body: movements.map(toMovementRow), replayed };
  });
  handle(contract.countCashDrawer, async (call) => {
    const { count, replayed } = await countCashDrawer(deps, call);
    return { status: 201, body: toCountRow(count, { isManager: call.caller.role === 'manager' }), replayed };
  });
}

async function assertKnown(deps: Pick<CashDrawerStates, 'cashDrawers'>, name: string): Promise<void> {
  const all = await deps.cashDrawers.findAll();
  if (!all.some((each) => each.name === name)) throw problem('not_found');
}

const belowOf = (cursor: string | undefined): number | undefined => (cursor === undefined ? undefined : Number(cursor));
const limitOf = ({ limit = 50 }: { limit?: number | undefined }): number => limit;
/** Returns the next page's cursor; null on the last page. */
const nextOf = (found: readonly { id: number }[], limit: number): number | null =>
  found.length > limit ? (found[limit - 1]?.id ?? null) : null;
