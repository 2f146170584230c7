import type { BodyOf } from '@comanda/contracts/endpoint';
import type { Pricing } from '@comanda/contracts/weight';
import type { createMenuItem, MenuItem } from '@comanda/contracts/menu';
import { withoutSize } from '@comanda/contracts/picture-address';
import { textKey } from '@comanda/contracts/text-key';
import type { Translations } from '@comanda/contracts/translations';
import type { Message } from '@comanda/shared/messaging/publisher';
import { newMessage } from '../messages.ts';
import { fromMinor, toMinor } from '../money.ts';

/** A dish. Deleted dishes stay stored but aren't on the menu. */
export type Dish = {
  id: number;
  name: string;
  description: string;
  priceMinor: number;
  currency: string;
  imageUrl: string | null;
  category: string | null;
  position: number;
  station: string;
  allergens: MenuItem['allergens'];
  pricing: Pricing;
  available: boolean;
  /** The number of portions left; null for no limit. */
  portionsLeft: number | null;
  nameTranslations: Translations;
  descriptionTranslations: Translations;
  /** The category's names in other languages, shared by all its dishes. */
  categoryTranslations: Translations;
  /** The ids of the groups of options that guests choose from, in the order shown. */
  optionGroupIds: readonly number[];
  /** The name that the kitchen reads; null if it reads `name`. */
  kitchenName: string | null;
  /** True if staff said that `allergens` is the whole list, even if it is empty. */
  allergensStated: boolean;
  version: number;
  deleted: boolean;
};

export const newDish = (id: number, currency: string): Dish => ({
  id,
  name: '',
  description: '',
  priceMinor: 0,
  currency,
  imageUrl: null,
  category: null,
  position: 0,
  station: 'kitchen',
  allergens: [],
  pricing: 'fixed',
  available: true,
  portionsLeft: null,
  nameTranslations: {},
  descriptionTranslations: {},
  categoryTranslations: {},
  optionGroupIds: [],
  kitchenName: null,
  allergensStated: false,
  version: 1,
  deleted: false,
});

/** The fields that a call may set. */
export type DishFields = Partial<BodyOf<typeof createMenuItem>>;
/** Returns the dish with the sent fields replaced. `shareNames` sets the category's translations, which all its dishes share. */
export const withFields = (dish: Dish, fields: DishFields): Dish => ({
  ...dish,
  name: fields.name?.trim() ?? dish.name,
  description: fields.description ?? dish.description,
  priceMinor: fields.price === undefined ? dish.priceMinor : toMinor(fields.price),
  imageUrl: fields.image_url === undefined ? dish.imageUrl : (withoutSize(fields.image_url) ?? fields.image_url),
  category: fields.category === undefined ? dish.category : (fields.category?.trim() ?? null),
  position: fields.position ?? dish.position,
  station: fields.station?.trim() ?? dish.station,
  allergens: fields.allergens ?? dish.allergens,
  pricing: fields.pricing ?? dish.pricing,
  available: fields.available ?? dish.available,
  portionsLeft: fields.portions_left === undefined ? dish.portionsLeft : fields.portions_left,
  nameTranslations: trimmed(fields.name_translations) ?? dish.nameTranslations,
  descriptionTranslations: trimmed(fields.description_translations) ?? dish.descriptionTranslations,
  optionGroupIds: fields.option_group_ids ?? dish.optionGroupIds,
  kitchenName: fields.kitchen_name === undefined ? dish.kitchenName : (fields.kitchen_name?.trim() ?? null),
  allergensStated: fields.allergens_stated ?? (dish.allergensStated && !empties(dish, fields)),
});

/** Returns true if the fields remove all of the dish's allergens: that alone doesn't say that it has none of the 14. */
const empties = (dish: Dish, { allergens }: DishFields): boolean =>
  allergens?.length === 0 && dish.allergens.length > 0;

/** Trims the translations and drops empty ones. Returns undefined if none were sent. */
export const trimmed = (translations: Translations | undefined): Translations | undefined =>
  translations &&
  Object.fromEntries(
    Object.entries(translations).flatMap(([language, text]) => (text.trim() === '' ? [] : [[language, text.trim()]])),
  );

export const asDeleted = (dish: Dish): Dish => ({ ...dish, deleted: true });

/**
 * Returns the name's key in the unique index, computed as in release 1.0.0. `shareNames` also rejects a name if another dish's
 * name has the same `textKey`.
 */
export const nameKey = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

/**
 * Finds the dish with each of these names; undefined if there is none. Release 1.0.0 may have stored two dishes with names that
 * look the same. Of those, only the dish with exactly this name is found. The key of a long hostile name is slow to compute, so
 * each key is computed once.
 */
export function dishesNamed(dishes: readonly Dish[], names: readonly string[]): Map<string, Dish | undefined> {
  const byKey = names.length === 0 ? new Map<string, Dish[]>() : Map.groupBy(dishes, ({ name }) => textKey(name));
  const find = (name: string): Dish | undefined => {
    const alike = byKey.get(textKey(name)) ?? [];
    return alike.length === 1 ? alike[0] : alike.find((dish) => nameKey(dish.name) === nameKey(name));
  };
  return new Map(names.map((name) => [name, find(name)]));
}

export const toMenuItem = (dish: Dish): MenuItem => ({
  id: dish.id,
  name: dish.name,
  description: dish.description,
  price: fromMinor(dish.priceMinor),
  currency: dish.currency,
  image_url: dish.imageUrl,
  category: dish.category,
  position: dish.position,
  station: dish.station,
  allergens: dish.allergens,
  pricing: dish.pricing,
  available: dish.available,
  portions_left: dish.portionsLeft,
  name_translations: dish.nameTranslations,
  description_translations: dish.descriptionTranslations,
  category_translations: dish.categoryTranslations,
  option_group_ids: [...dish.optionGroupIds],
  kitchen_name: dish.kitchenName,
  allergens_stated: dish.allergensStated || dish.allergens.length > 0,
  version: dish.version,
});

/** Creates the event for a write to a dish. It contains the whole dish as it is after the write. */
export const dishChanged = (dish: Dish, { at, traceparent }: { at: Date; traceparent: string }): Message =>
  newMessage('menu.item_changed', {
    subject: String(dish.id),
    at,
    traceparent,
    data: { item: { ...toMenuItem(dish), deleted: dish.deleted } },
  });

/** Sorts by category (dishes without a category last), then position, then id. */
export const inMenuOrder = (a: Dish, b: Dish): number =>
  Number(a.category === null) - Number(b.category === null) ||
  (a.category ?? '').localeCompare(b.category ?? '') ||
  a.position - b.position ||
  a.id - b.id;
