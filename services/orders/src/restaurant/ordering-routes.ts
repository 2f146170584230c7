import { getOrdering, putOrdering } from '@comanda/contracts/ordering';
import { getRestaurant, putRestaurant as putRestaurantContract } from '@comanda/contracts/restaurant';
import type { Api } from '@comanda/shared/http/api';
import { toOrdering } from './ordering-pause.ts';
import { pauseOrdering, type PauseOrderingDeps } from './pause-ordering.ts';
import { putRestaurant, type PutRestaurantDeps } from './put-restaurant.ts';
import { toRestaurant, type FixedSettings } from './restaurant-settings.ts';

export type OrderingRouteDeps = PauseOrderingDeps & PutRestaurantDeps & { fixed: FixedSettings };

export function registerOrderingRoutes({ handle }: Api, deps: OrderingRouteDeps): void {
  const { pause, settings, clock, fixed } = deps;

  handle(getOrdering, async () => ({
    status: 200,
    body: toOrdering(await pause.get(), new Date(clock())),
  }));
  handle(getRestaurant, async () => ({ status: 200, body: toRestaurant(await settings.get(), fixed) }));
  handle(putRestaurantContract, async (call) => ({
    status: 200,
    body: toRestaurant(await putRestaurant(deps, call), fixed),
  }));
  handle(putOrdering, async (call) => ({ status: 200, body: await pauseOrdering(deps, call) }));
}
