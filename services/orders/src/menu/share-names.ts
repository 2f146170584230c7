import { isDeepStrictEqual } from 'node:util';
import { problem } from '@comanda/contracts/problem';
import { textKey } from '@comanda/contracts/text-key';
import type { Translations } from '@comanda/contracts/translations';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { IdStore } from '../restaurant/id-store.ts';
import type { DishStep } from './write-dishes.ts';
import { trimmed, type Dish } from './menu-item.ts';
import type { MenuStore } from './menu-store.ts';

type ShareNamesDeps = {
  menu: Pick<MenuStore, 'getAll'>;
  ids: Pick<IdStore, 'lockCategories'>;
};
/** `sent`: the names of the dish's category in other languages; undefined if the request has none. */
type Asked = DishStep & { sent: Translations | undefined };

const keyOf = (name: string | null): string | null => (name === null ? null : textKey(name));
const isSame = (one: string | null | undefined, other: string | null): boolean =>
  one !== undefined && keyOf(one) === keyOf(other);

/**
 * Returns true if another dish has this name. A dish may keep its own name, even if release 1.0.0 stored two dishes with that
 * name. `id`: undefined for a new dish.
 */
export function isNameTaken(dishes: readonly Dish[], { id, name }: { id: number | undefined; name: string }): boolean {
  const named = dishes.filter((dish) => isSame(dish.name, name));
  return named.length > 0 && !named.some((dish) => dish.id === id);
}

/**
 * Keeps one spelling for each category and station: names that look the same are the same category or station. A dish that joins
 * a category or station gets the stored spelling. If a dish's own category or station is sent in another spelling, all of its
 * dishes get the new spelling. All dishes in a category also share the category's translations. Returns the step for this dish
 * first, followed by the steps for other changed dishes.
 * @throws 409 `menu_item_exists`; 422 `unprocessable_content` if translations were sent for a dish without a category
 */
export async function shareNames(
  { menu, ids }: ShareNamesDeps,
  { before, after, sent }: Asked,
  session: Session,
): Promise<[DishStep, ...DishStep[]]> {
  const translations = trimmed(sent);
  if (after.category === null && translations && Object.keys(translations).length > 0) throw withoutCategory();
  const isRenamed = before?.name !== after.name;
  const isMoved = before?.category !== after.category || before.station !== after.station;
  if (!isRenamed && !isMoved && !translations) return [{ before, after }];

  await ids.lockCategories(session);
  const dishes = await menu.getAll(session);
  if (isNameTaken(dishes, after)) throw problem('menu_item_exists');
  const others = dishes.filter(({ id }) => id !== after.id);
  const ofCategory = others.filter(({ category }) => category !== null && isSame(category, after.category));
  const ofStation = others.filter(({ station }) => isSame(station, after.station));
  const [inCategory] = ofCategory;
  const [atStation] = ofStation;
  const comesToCategory = !isSame(before?.category, after.category);
  const shared = {
    category: comesToCategory && inCategory ? inCategory.category : after.category,
    station: !isSame(before?.station, after.station) && atStation ? atStation.station : after.station,
    categoryTranslations:
      translations ?? inCategory?.categoryTranslations ?? (comesToCategory ? {} : after.categoryTranslations),
  };
  const { station, ...categoryOf } = shared;
  const steps = others.flatMap((other): DishStep[] => {
    const changed: Dish = {
      ...other,
      ...(ofCategory.includes(other) && categoryOf),
      ...(ofStation.includes(other) && before?.station !== station && { station }),
    };
    return isDeepStrictEqual(changed, other)
      ? []
      : [{ before: other, after: { ...changed, version: other.version + 1 } }];
  });
  return [{ before, after: { ...after, ...shared } }, ...steps];
}

const withoutCategory = () =>
  problem('unprocessable_content', {
    errors: [
      { pointer: '/category_translations', detail: 'must be empty for a dish without a category: send category too' },
    ],
  });
