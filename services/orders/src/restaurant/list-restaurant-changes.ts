import type { listRestaurantChanges as contract, RestaurantChange } from '@comanda/contracts/restaurant-changes';
import type { Call } from '@comanda/shared/http/api';
import { readPosition, toPage } from '../change-pages.ts';
import type { RestaurantChangeStore } from './restaurant-change-store.ts';

export type ListRestaurantChangesDeps = { restaurantChanges: Pick<RestaurantChangeStore, 'list'> };
/** `next` is the next page's cursor; null on the last page. */
type Page = { changes: RestaurantChange[]; next: string | null };

/** `GET /restaurant-changes`: returns one page, newest first. */
export async function listRestaurantChanges(
  { restaurantChanges }: ListRestaurantChangesDeps,
  { query: { limit = 50, cursor } }: Call<typeof contract>,
): Promise<Page> {
  const found = await restaurantChanges.list({ after: readPosition(cursor), limit: limit + 1 });
  const { page, next } = toPage(found, limit);
  return {
    changes: page.map(({ at, actor, before, after }) => ({ at: at.toISOString(), actor, before, after })),
    next,
  };
}
