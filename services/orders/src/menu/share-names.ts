import { problem } from '@comanda/contracts/problem';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { IdStore } from '../restaurant/id-store.ts';
import type { MenuStore } from './menu-store.ts';
import { isNameTaken, sharesNames, spreadNames, translationErrors, type Naming } from './spread-names.ts';
import type { DishStep } from './write-dishes.ts';

type ShareNamesDeps = {
  menu: Pick<MenuStore, 'getAll'>;
  ids: Pick<IdStore, 'lockCategories'>;
};

/**
 * Gives this dish and those in its category and station the names that they share (`spreadNames`). Returns the step for this dish
 * first, followed by the steps for other changed dishes.
 * @throws 409 `menu_item_exists`; 422 `unprocessable_content` if translations were sent for a dish without a category
 */
export async function shareNames(
  { menu, ids }: ShareNamesDeps,
  naming: Naming,
  session: Session,
): Promise<[DishStep, ...DishStep[]]> {
  const { before, after } = naming;
  const errors = translationErrors(naming);
  if (errors.length > 0) throw problem('unprocessable_content', { errors });
  if (!sharesNames(naming)) return [{ before, after }];

  await ids.lockCategories(session);
  const dishes = await menu.getAll(session);
  if (isNameTaken(dishes, after)) throw problem('menu_item_exists');
  return spreadNames(dishes, naming);
}
