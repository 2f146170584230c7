import * as contract from '@comanda/contracts/day';
import { problem } from '@comanda/contracts/problem';
import type { Api } from '@comanda/shared/http/api';
import { nextLink } from '@comanda/shared/http/next-link';
import { createAddUpBefore } from './add-up-before.ts';
import { closeDay, type CloseDayDeps } from './close-day.ts';
import type { DayStore } from './day-store.ts';
import { getDay, type GetDayDeps } from './get-day.ts';

export type DayRouteDeps = Omit<CloseDayDeps, 'addUpBefore'> & GetDayDeps & { days: Pick<DayStore, 'listPage'> };

export function registerDayRoutes({ handle }: Api, deps: DayRouteDeps): void {
  const addUpBefore = createAddUpBefore(deps);
  handle(contract.getDay, async () => ({ status: 200, body: await getDay(deps) }));
  handle(contract.closeDay, async (call) => {
    const { report, ...authorized } = await closeDay({ ...deps, addUpBefore }, call);
    return { status: 201, body: report, headers: { Location: `/days/${report.number}` }, ...authorized };
  });
  handle(contract.listDays, async ({ query }) => {
    const { date, limit = 50, cursor } = query;
    const below = cursor === undefined ? undefined : Number(cursor);
    const found = await deps.days.listPage({ date, below, limit: limit + 1 });
    const page = found.slice(0, limit);
    const next = found.length > limit ? page.at(-1)?.number : null;
    return { status: 200, body: page, headers: nextLink(contract.listDays.path, query, next) };
  });
  handle(contract.getDayReport, async ({ params }) => {
    const report = await deps.days.find(params.number);
    if (!report) throw problem('not_found');
    return { status: 200, body: report };
  });
}
