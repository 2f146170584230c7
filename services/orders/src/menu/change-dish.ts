import { problem } from '@comanda/contracts/problem';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import { retryOnConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Clock } from '@comanda/shared/runtime/clock';
import { dishChanged, type Dish } from './menu-item.ts';
import type { MenuStore } from './menu-store.ts';

export type ChangeDishDeps = { menu: MenuStore; outbox: Pick<Outbox, 'publishNow'>; clock: Clock };
/** A change of an existing dish. `apply` may be called again, with a newer version of the dish. */
export type DishChange = { id: number; traceparent: string; apply: (dish: Dish) => Dish };

/** Orders may write the portions of a popular dish hundreds of times a second; this is how long a change competes. */
const timeLimitMs = 1400;

/**
 * Changes an existing dish, again from the beginning if another write comes first.
 * @throws 404 `not_found`, 409 `menu_item_exists`, 503 `service_unavailable`
 */
export function changeDish(deps: ChangeDishDeps, change: DishChange): Promise<Dish> {
  const deadline = performance.now() + timeLimitMs;
  return retryOnConflict({ deadline }, () => tryChange(deps, change));
}

/** @throws WriteConflict */
async function tryChange({ menu, outbox, clock }: ChangeDishDeps, change: DishChange): Promise<Dish> {
  const { id, traceparent, apply } = change;
  const before = await menu.find(id);
  if (!before) throw problem('not_found');
  const dish: Dish = { ...apply(before), version: before.version + 1 };
  const message = dishChanged(dish, { at: new Date(clock()), traceparent });
  const result = await menu.update({ dish, message });
  if (result === 'name_taken') throw problem('menu_item_exists');
  outbox.publishNow(id, [message]);
  return dish;
}
