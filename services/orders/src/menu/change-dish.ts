import { problem } from '@comanda/contracts/problem';
import type { Translations } from '@comanda/contracts/translations';
import type { Outbox } from '@comanda/shared/messaging/outbox';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Actor } from '../actor.ts';
import type { RestaurantStore } from '../restaurant/restaurant-store.ts';
import { checkPicture, type CheckPictureDeps } from './check-picture.ts';
import type { Dish } from './menu-item.ts';
import type { MenuStore } from './menu-store.ts';
import type { WriteRecorded } from './write-recorded.ts';
import { shareNames } from './share-names.ts';
import { publishWrites, writeDishes } from './write-dishes.ts';

export type ChangeDishDeps = CheckPictureDeps & {
  restaurant: Pick<RestaurantStore, 'lockCategories'>;
  menu: MenuStore;
  writeRecorded: WriteRecorded;
  outbox: Pick<Outbox, 'publishNow'>;
  clock: Clock;
};
/** A change to an existing dish. `apply` may be called again with a newer version of the dish. */
export type DishChange = {
  id: number;
  actor: Actor;
  traceparent: string;
  apply: (dish: Dish) => Dish;
  /** The category's new names in other languages; undefined to leave them unchanged. */
  categoryTranslations?: Translations | undefined;
};

/**
 * Changes an existing dish and records who changed it. Starts over if another write comes first.
 * @throws 404 `not_found`, 409 `menu_item_exists`, 503 `service_unavailable`; 422 `unprocessable_content` if category
 * translations are sent for a dish without a category
 */
export async function changeDish(deps: ChangeDishDeps, change: DishChange): Promise<Dish> {
  const { menu, writeRecorded, outbox, clock } = deps;
  const { id, actor, traceparent, apply, categoryTranslations: sent } = change;
  const writes = await writeRecorded(`dish ${id}`, async (session) => {
    const before = await menu.find(id, session);
    if (!before) throw problem('not_found');
    const after: Dish = { ...apply(before), version: before.version + 1 };
    await checkPicture(deps, { before, imageUrl: after.imageUrl }, session);
    const steps = await shareNames(deps, { before, after, sent }, session);
    return writeDishes(menu, { steps, at: new Date(clock()), actor, traceparent }, session);
  });
  publishWrites(outbox, writes);
  const [own] = writes;
  if (!own) throw new Error(`Dish ${id} was not written.`);
  return own.dish;
}
