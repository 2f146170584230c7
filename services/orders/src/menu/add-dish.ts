import type { createMenuItem as contract } from '@comanda/contracts/menu';
import type { Call } from '@comanda/shared/http/api';
import type { IdStore } from '../restaurant/id-store.ts';
import { checkOptionGroups } from './check-option-groups.ts';
import { checkPicture } from './check-picture.ts';
import type { ChangeDishDeps } from './change-dish.ts';
import { actorOf } from '../actor.ts';
import { newDish, withFields, type Dish } from './menu-item.ts';
import { shareNames } from './share-names.ts';
import { writeDishes } from './write-dishes.ts';

export type AddDishDeps = ChangeDishDeps & { ids: Pick<IdStore, 'takeDishId'>; currency: string };

/**
 * `POST /menu`: adds a dish, and records the user who added it.
 * @throws 409 `menu_item_exists`; 422 `unprocessable_content` if category translations are sent without a category
 */
export async function addDish(deps: AddDishDeps, { body, caller, context }: Call<typeof contract>): Promise<Dish> {
  const { menu, ids, recordedWrites, currency, clock } = deps;
  const { traceparent } = context;
  const after = withFields(newDish(await ids.takeDishId(), currency), body);
  return recordedWrites.runLocked(`dish ${after.id}`, async (session) => {
    await checkPicture(deps, { before: null, imageUrl: after.imageUrl }, session);
    await checkOptionGroups(deps, { groupIds: body.option_group_ids, pricing: body.pricing }, session);
    const steps = await shareNames(deps, { before: null, after, sent: body.category_translations }, session);
    return writeDishes(menu, { steps, at: new Date(clock()), actor: actorOf(caller), traceparent }, session);
  });
}
