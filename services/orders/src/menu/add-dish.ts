import type { createMenuItem as contract } from '@comanda/contracts/menu';
import type { Call } from '@comanda/shared/http/api';
import type { RestaurantStore } from '../restaurant/restaurant-store.ts';
import { checkPicture } from './check-picture.ts';
import type { ChangeDishDeps } from './change-dish.ts';
import { actorOf } from './menu-change.ts';
import { newDish, withFields, type Dish } from './menu-item.ts';
import { shareNames } from './share-names.ts';
import { publishWrites, writeDishes } from './write-dishes.ts';

export type AddDishDeps = ChangeDishDeps & { restaurant: RestaurantStore; currency: string };

/**
 * `POST /menu`: adds a dish and records who added it.
 * @throws 409 `menu_item_exists`; 422 `unprocessable_content` if category translations are sent without a category
 */
export async function addDish(deps: AddDishDeps, { body, caller, context }: Call<typeof contract>): Promise<Dish> {
  const { menu, restaurant, writeRecorded, outbox, currency, clock } = deps;
  const { traceparent } = context;
  const after = withFields(newDish(await restaurant.takeDishId(), currency), body);
  const writes = await writeRecorded(`dish ${after.id}`, async (session) => {
    await checkPicture(deps, { before: null, imageUrl: after.imageUrl }, session);
    const steps = await shareNames(deps, { before: null, after, sent: body.category_translations }, session);
    return writeDishes(menu, { steps, at: new Date(clock()), actor: actorOf(caller), traceparent }, session);
  });
  publishWrites(outbox, writes);
  const [own] = writes;
  if (!own) throw new Error(`Dish ${after.id} was not written.`);
  return own.dish;
}
