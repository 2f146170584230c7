import type { createMenuItem as contract } from '@comanda/contracts/menu';
import { problem } from '@comanda/contracts/problem';
import type { Call } from '@comanda/shared/http/api';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { RestaurantStore } from '../restaurant/restaurant-store.ts';
import { dishChanged, newDish, withFields, type Dish } from './menu-item.ts';
import type { MenuStore } from './menu-store.ts';

export type AddDishDeps = {
  menu: MenuStore;
  restaurant: RestaurantStore;
  outbox: Pick<Outbox, 'publishNow'>;
  currency: string;
  clock: Clock;
};

/** `POST /menu`: adds a dish. @throws 409 `menu_item_exists` */
export async function addDish(deps: AddDishDeps, { body, context }: Call<typeof contract>): Promise<Dish> {
  const { menu, restaurant, outbox, currency, clock } = deps;
  const dish = withFields(newDish(await restaurant.takeDishId(), currency), body);
  const message = dishChanged(dish, { at: new Date(clock()), traceparent: context.traceparent });
  const result = await menu.insert({ dish, message });
  if (result === 'name_taken') throw problem('menu_item_exists');
  outbox.publishNow(dish.id, [message]);
  return dish;
}
