import { isDeepStrictEqual } from 'node:util';
import type { ProblemMembers } from '@comanda/contracts/problem';
import { textKey } from '@comanda/contracts/text-key';
import type { Translations } from '@comanda/contracts/translations';
import { trimmed, type Dish } from './menu-item.ts';
import type { DishStep } from './write-dishes.ts';

/** `sent`: the names of the dish's category in other languages; undefined if the request has none. */
export type Naming = DishStep & { sent: Translations | undefined };
/** Returns the key by which names are compared, as `textKey` does. */
export type KeyOf = (name: string) => string;

/**
 * Returns true if another dish has this name. A dish may keep its own name, even if release 1.0.0 stored two dishes with that
 * name. `id`: undefined for a new dish.
 */
export function isNameTaken(
  dishes: readonly Dish[],
  { id, name }: { id: number | undefined; name: string },
  keyOf: KeyOf = textKey,
): boolean {
  const named = dishes.filter((dish) => keyOf(dish.name) === keyOf(name));
  return named.length > 0 && !named.some((dish) => dish.id === id);
}

/** Returns true if this change concerns the names that dishes share. */
export const sharesNames = ({ before, after, sent }: Naming): boolean =>
  before?.name !== after.name ||
  before.category !== after.category ||
  before.station !== after.station ||
  sent !== undefined;

/** Returns an error if category translations were sent for a dish without a category. `row`: the dish's pointer in the body. */
export const translationErrors = (
  { after, sent }: Pick<Naming, 'after' | 'sent'>,
  row = '',
): NonNullable<ProblemMembers['errors']>[number][] =>
  after.category === null && Object.keys(trimmed(sent) ?? {}).length > 0
    ? [
        {
          pointer: `${row}/category_translations`,
          detail: 'must be empty for a dish without a category: send category too',
        },
      ]
    : [];

/**
 * Keeps one spelling for each category and station: names that look the same are the same category or station. A dish that joins
 * a category or station gets the stored spelling. If a dish's own category or station is sent in another spelling, all of its
 * dishes get the new spelling. All dishes in a category also share the category's translations. `dishes`: all dishes on the menu.
 * Returns the step for this dish first, followed by the steps for other changed dishes.
 */
export function spreadNames(
  dishes: readonly Dish[],
  { before, after, sent }: Naming,
  keyOf: KeyOf = textKey,
): [DishStep, ...DishStep[]] {
  const isSame = (one: string | null | undefined, other: string | null): boolean =>
    one === other || (typeof one === 'string' && other !== null && keyOf(one) === keyOf(other));
  const translations = trimmed(sent);
  const others = dishes.filter(({ id }) => id !== after.id);
  const ofCategory = new Set(others.filter(({ category }) => category !== null && isSame(category, after.category)));
  const ofStation = new Set(others.filter(({ station }) => isSame(station, after.station)));
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
  const isRespelled = before?.station !== station;
  const steps = others.flatMap((other): DishStep[] => {
    const [inSameCategory, atSameStation] = [ofCategory.has(other), isRespelled && ofStation.has(other)];
    if (!inSameCategory && !atSameStation) return [];
    const changed: Dish = { ...other, ...(inSameCategory && categoryOf), ...(atSameStation && { station }) };
    return isSameShared(changed, other) ? [] : [{ before: other, after: { ...changed, version: other.version + 1 } }];
  });
  return [{ before, after: { ...after, ...shared } }, ...steps];
}

const isSameShared = (one: Dish, other: Dish): boolean =>
  one.category === other.category &&
  one.station === other.station &&
  isDeepStrictEqual(one.categoryTranslations, other.categoryTranslations);
