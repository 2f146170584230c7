import type { createMenuItem as contract } from '@comanda/contracts/menu';
import { problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { RestaurantStore } from '../restaurant/restaurant-store.ts';
import type { ChangeDishDeps } from './change-dish.ts';
import { actorOf } from '../restaurant/menu-change.ts';
import { changeOfDish } from './change-of-dish.ts';
import { dishChanged, newDish, withFields, type Dish } from './menu-item.ts';

export type AddDishDeps = ChangeDishDeps & { restaurant: RestaurantStore; currency: string };

/** `POST /menu`: adds a dish and stores who did it. @throws 409 `menu_item_exists` */
export async function addDish(deps: AddDishDeps, { body, caller, context }: Call<typeof contract>): Promise<Dish> {
  const { menu, restaurant, writeRecorded, outbox, currency, clock } = deps;
  const dish = withFields(newDish(await restaurant.takeDishId(), currency), body);
  const at = new Date(clock());
  const message = dishChanged(dish, { at, traceparent: context.traceparent });
  await writeRecorded(`dish ${dish.id}`, async (session) => {
    const result = await menu.insert({ dish, message }, session);
    if (result === 'name_taken') throw problem('menu_item_exists');
    return { value: null, change: changeOfDish({ before: null, after: dish }, { at, actor: actorOf(caller) }) };
  });
  outbox.publishNow(dish.id, [message]);
  return dish;
}
