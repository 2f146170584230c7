import { isDeepStrictEqual } from 'node:util';
import { problem } from '@comanda/contracts/problem';
import type { Translations } from '@comanda/contracts/translations';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { RestaurantStore } from '../restaurant/restaurant-store.ts';
import type { DishStep } from './write-dishes.ts';
import { trimmed } from './menu-item.ts';
import type { MenuStore } from './menu-store.ts';

type TranslateCategoryDeps = {
  menu: Pick<MenuStore, 'findOfCategory'>;
  restaurant: Pick<RestaurantStore, 'lockCategories'>;
};
/** `sent`: what the category is called in other languages from now on; undefined if nobody has said so. */
type Asked = DishStep & { sent: Translations | undefined };

/**
 * A category is called the same at all its dishes: translations that are sent with one of them hold for the others too, and a
 * dish that comes into a category has its translations. Returns the step of this dish, and then those of the others.
 * @throws 422 `unprocessable_content` if translations were sent for a dish without a category
 */
export async function translateCategory(
  { menu, restaurant }: TranslateCategoryDeps,
  { before, after, sent }: Asked,
  session: Session,
): Promise<DishStep[]> {
  const { category } = after;
  const translations = trimmed(sent);
  if (category === null) {
    if (translations && Object.keys(translations).length > 0) throw withoutCategory();
    return [{ before, after: { ...after, categoryTranslations: {} } }];
  }
  if (!translations && before?.category === category) return [{ before, after }];
  await restaurant.lockCategories(session);
  const others = (await menu.findOfCategory(category, session)).filter(({ id }) => id !== after.id);
  const categoryTranslations = translations ?? others[0]?.categoryTranslations ?? {};
  const differing = others.filter((other) => !isDeepStrictEqual(other.categoryTranslations, categoryTranslations));
  return [
    { before, after: { ...after, categoryTranslations } },
    ...differing.map((other) => ({
      before: other,
      after: { ...other, categoryTranslations, version: other.version + 1 },
    })),
  ];
}

const withoutCategory = () =>
  problem('unprocessable_content', {
    errors: [
      { pointer: '/category_translations', detail: 'must be empty for a dish without a category: send category too' },
    ],
  });
