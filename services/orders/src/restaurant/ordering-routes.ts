import { getOrdering, putOrdering } from '@comanda/contracts/menu';
import type { Api } from '@comanda/shared/http/api';
import { toOrdering } from './ordering-pause.ts';
import { pauseOrdering, type PauseOrderingDeps } from './pause-ordering.ts';

export type OrderingRouteDeps = PauseOrderingDeps;

export function registerOrderingRoutes({ handle }: Api, deps: OrderingRouteDeps): void {
  const { restaurant, clock } = deps;

  handle(getOrdering, async () => ({
    status: 200,
    body: toOrdering(await restaurant.getPause(), new Date(clock())),
  }));
  handle(putOrdering, async (call) => ({ status: 200, body: await pauseOrdering(deps, call) }));
}
