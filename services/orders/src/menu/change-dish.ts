import { problem } from '@comanda/contracts/problem';
import type { Translations } from '@comanda/contracts/translations';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Actor } from '../actor.ts';
import { checkPicture, type CheckPictureDeps } from './check-picture.ts';
import { checkOptionGroups, type CheckOptionGroupsDeps } from './check-option-groups.ts';
import type { RecordedWrites } from './menu-change.ts';
import { asDeleted, withFields, type Dish, type DishFields } from './menu-item.ts';
import type { MenuStore } from './menu-store.ts';
import { shareNames } from './share-names.ts';
import { writeDishes } from './write-dishes.ts';

export type ChangeDishDeps = CheckPictureDeps &
  CheckOptionGroupsDeps & {
    menu: MenuStore;
    recordedWrites: Pick<RecordedWrites, 'runLocked'>;
    clock: Clock;
  };
/** A change to an existing dish, as data. If another write comes first, the change is applied to the dish's new version. */
export type DishChange = {
  id: number;
  actor: Actor;
  traceparent: string;
  /** The fields to set; null to delete the dish. */
  fields: DishFields | null;
  /** The names of the dish's category in other languages; undefined to leave them unchanged. */
  categoryTranslations?: Translations | undefined;
};

/**
 * Changes an existing dish, and records the user who changed it. Starts again if another write comes first.
 * @throws 404 `not_found`, 409 `menu_item_exists`, 503 `service_unavailable`; 422 `unprocessable_content` if category
 * translations are sent for a dish without a category
 */
export async function changeDish(deps: ChangeDishDeps, change: DishChange): Promise<Dish> {
  const { menu, recordedWrites, clock } = deps;
  const { id, actor, traceparent, fields, categoryTranslations: sent } = change;
  return recordedWrites.runLocked(`dish ${id}`, async (session) => {
    const before = await menu.find(id, session);
    if (!before) throw problem('not_found');
    const changed = fields ? withFields(before, fields) : asDeleted(before);
    const after: Dish = { ...changed, version: before.version + 1 };
    await checkPicture(deps, { before, imageUrl: after.imageUrl }, session);
    const { option_group_ids: groupIds, pricing } = fields ?? {};
    await checkOptionGroups(deps, { dishId: id, groupIds, pricing }, session);
    const steps = await shareNames(deps, { before, after, sent }, session);
    return writeDishes(menu, { steps, at: new Date(clock()), actor, traceparent }, session);
  });
}
