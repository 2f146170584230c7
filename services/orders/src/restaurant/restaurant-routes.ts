import * as contract from '@comanda/contracts/restaurant';
import { listRestaurantChanges as listRestaurantChangesContract } from '@comanda/contracts/restaurant-changes';
import type { Api } from '@comanda/shared/http/api';
import { nextLink } from '@comanda/shared/http/next-link';
import { listRestaurantChanges, type ListRestaurantChangesDeps } from './list-restaurant-changes.ts';
import { putRestaurant, type PutRestaurantDeps } from './put-restaurant.ts';
import { toRestaurant } from './restaurant-settings.ts';

export function registerRestaurantRoutes({ handle }: Api, deps: PutRestaurantDeps & ListRestaurantChangesDeps): void {
  const { settings, fixed } = deps;

  handle(contract.getRestaurant, async () => ({ status: 200, body: toRestaurant(await settings.get(), fixed) }));
  handle(contract.putRestaurant, async (call) => ({ status: 200, body: await putRestaurant(deps, call) }));
  handle(contract.getWifi, async () => {
    const { wifi, version } = await settings.get();
    return { status: 200, body: { wifi, version } };
  });
  handle(listRestaurantChangesContract, async (call) => {
    const { changes, next } = await listRestaurantChanges(deps, call);
    const { limit = 50 } = call.query;
    return { status: 200, body: changes, headers: nextLink(listRestaurantChangesContract.path, { limit }, next) };
  });
}
