import { problem } from '@comanda/contracts/problem';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Actor } from '../actor.ts';
import { changeOfDish } from './change-of-dish.ts';
import { dishChanged, type Dish } from './menu-item.ts';
import type { MenuStore } from './menu-store.ts';
import type { WriteRecorded } from '../restaurant/write-recorded.ts';

export type ChangeDishDeps = {
  menu: MenuStore;
  writeRecorded: WriteRecorded;
  outbox: Pick<Outbox, 'publishNow'>;
  clock: Clock;
};
/** A change of an existing dish. `apply` may be called again, with a newer version of the dish. */
export type DishChange = { id: number; actor: Actor; traceparent: string; apply: (dish: Dish) => Dish };

/**
 * Changes an existing dish and stores who did it, again from the beginning if another write comes first.
 * @throws 404 `not_found`, 409 `menu_item_exists`, 503 `service_unavailable`
 */
export async function changeDish(deps: ChangeDishDeps, change: DishChange): Promise<Dish> {
  const { menu, writeRecorded, outbox, clock } = deps;
  const { id, actor, traceparent, apply } = change;
  const { dish, message } = await writeRecorded(`dish ${id}`, async (session) => {
    const before = await menu.find(id, session);
    if (!before) throw problem('not_found');
    const at = new Date(clock());
    const after: Dish = { ...apply(before), version: before.version + 1 };
    const event = dishChanged(after, { at, traceparent });
    const result = await menu.update({ dish: after, message: event }, session);
    if (result === 'name_taken') throw problem('menu_item_exists');
    return { value: { dish: after, message: event }, change: changeOfDish({ before, after }, { at, actor }) };
  });
  outbox.publishNow(id, [message]);
  return dish;
}
