import type { Pricing } from '@comanda/contracts/weight';
import { textKey } from '@comanda/contracts/text-key';
import { languages, type Language } from '@comanda/contracts/rules';
import type { Translations } from '@comanda/contracts/translations';
import type { Allergen } from '@comanda/ui/allergens.ts';
import type { Input, LiveItem } from '@comanda/client/core';
import { language } from '@comanda/ui/language.ts';
import { toMinor, fromMinor } from '@comanda/contracts/money';

export const maxKitchenName = 24;

/** A dish as entered in the form. */
export type DishDraft = {
  name: string;
  description: string;
  price: string;
  category: string;
  position: string;
  station: string;
  kitchenName: string;
  pricing: Pricing;
  allergens: readonly Allergen[];
  /** True if the manager has said that the dish contains none of the 14. Without effect while some are named. */
  noAllergens: boolean;
  /** The option groups, in the order shown. */
  groupIds: readonly number[];
  imageUrl: string;
  available: boolean;
  /** The number of portions as text; empty for no limit. */
  portions: string;
  nameTranslations: Translations;
  descriptionTranslations: Translations;
  /** The category's translations; null if nobody has entered any, so the category's existing ones stay. */
  categoryTranslations: Translations | null;
};
/** The draft's fields for texts in other languages. */
export type TranslatedField = 'nameTranslations' | 'descriptionTranslations' | 'categoryTranslations';
export type DraftField = keyof DishDraft;
/** Allergens that were added (true) or removed (false). */
type TappedAllergens = Partial<Record<Allergen, boolean>>;
/** The option groups as a manager has put them, and those that the dish had at that time. */
type TypedGroups = { before: readonly number[]; after: readonly number[] };
/** The changes that were entered for a dish. */
export type TypedDish = Partial<Omit<DishDraft, 'allergens' | 'groupIds'>> & {
  allergens?: TappedAllergens;
  groupIds?: TypedGroups;
};

/** Returns the groups as this manager has put them, without those that another one has removed since, and with those added. */
function mergedGroups({ before, after }: TypedGroups, now: readonly number[]): readonly number[] {
  const kept = after.filter((id) => now.includes(id) || !before.includes(id));
  return [...kept, ...now.filter((id) => !before.includes(id) && !after.includes(id))];
}

/**
 * Merges the entered changes into the dish. Untouched fields follow the dish, because another manager may add an allergen or an
 * option group, and orders reduce the portions, while the form is open.
 */
export const withTyped = (
  before: DishDraft,
  { allergens: tapped = {}, groupIds, ...typed }: TypedDish = {},
): DishDraft => ({
  ...before,
  ...typed,
  ...(groupIds && { groupIds: mergedGroups(groupIds, before.groupIds) }),
  allergens: [
    ...before.allergens.filter((each) => tapped[each] !== false),
    ...(Object.keys(tapped) as Allergen[]).filter((each) => tapped[each] && !before.allergens.includes(each)),
  ],
});

/** Returns the changes after one more tap on an allergen. If it then matches the dish again, it is no longer a change. */
export function tapAllergen(
  tapped: TappedAllergens | undefined,
  { each, before, shown }: { each: Allergen; before: DishDraft; shown: DishDraft },
): TappedAllergens {
  const { [each]: _, ...others } = tapped ?? {};
  const isAdded = !shown.allergens.includes(each);
  return before.allergens.includes(each) === isAdded ? others : { ...others, [each]: isAdded };
}

export const emptyDraft: DishDraft = {
  name: '',
  description: '',
  price: '',
  category: '',
  position: '',
  station: 'kitchen',
  kitchenName: '',
  pricing: 'fixed',
  allergens: [],
  noAllergens: false,
  groupIds: [],
  imageUrl: '',
  available: true,
  portions: '',
  nameTranslations: {},
  descriptionTranslations: {},
  categoryTranslations: null,
};

/** Returns the first position after the category's dishes; for a new category, the position after all dishes. */
export function freePosition(menu: readonly LiveItem[], category: string): number {
  const positions = menu.map(({ position }) => position);
  const ofCategory = menu
    .filter((dish) => textKey(dish.category ?? '') === textKey(category))
    .map(({ position }) => position);
  const last = Math.max(0, ...(ofCategory.length > 0 ? ofCategory : positions));
  return last + 1;
}

export const draftOf = (dish: LiveItem): DishDraft => ({
  name: dish.name,
  description: dish.description,
  price: language.value === 'pt-BR' ? dish.price.replace('.', ',') : dish.price,
  category: dish.category ?? '',
  position: String(dish.position),
  station: dish.station,
  kitchenName: dish.kitchen_name ?? '',
  pricing: dish.pricing ?? 'fixed',
  allergens: dish.allergens,
  noAllergens: dish.allergens.length === 0 && dish.allergens_stated === true,
  groupIds: dish.option_group_ids ?? [],
  imageUrl: dish.image_url ?? '',
  available: dish.available,
  portions: dish.portions_left === null ? '' : String(dish.portions_left),
  nameTranslations: dish.name_translations ?? {},
  descriptionTranslations: dish.description_translations ?? {},
  categoryTranslations: null,
});

/** Returns a category's names in other languages, which are the same for all its dishes. */
export const translationsOfCategory = (menu: readonly LiveItem[], category: string): Translations =>
  menu.find((dish) => textKey(dish.category ?? '') === textKey(category))?.category_translations ?? {};

/** Sorts the translations and removes empty ones, so that they can be compared. */
const written = (translations: Translations): Translations =>
  Object.fromEntries(
    languages.flatMap((each: Language) => {
      const text = translations[each]?.trim() ?? '';
      return text === '' ? [] : [[each, text]];
    }),
  );

/** Converts `74`, `74.5` or `74,50` to the API's format; null if it isn't an amount. */
function priceOf(text: string): string | null {
  const plain = text.trim().replace(',', '.');
  return /^\d{1,8}(\.\d{1,2})?$/.test(plain) ? fromMinor(toMinor(plain)) : null;
}
const isCount = (text: string): boolean => text.trim() === '' || /^\d{1,7}$/.test(text.trim());
const isImage = (text: string): boolean => text.trim() === '' || /^(https:\/\/|\/)\S*$/.test(text.trim());

/**
 * Returns the fields that the server would reject. `optionsPrice`: what guests pay for the dish's options at least, or null. If they
 * have a price, the dish's own may be missing.
 */
export const invalidFields = (draft: DishDraft, optionsPrice: string | null): readonly DraftField[] => [
  ...(draft.name.trim() === '' ? (['name'] as const) : []),
  ...(priceOf(draft.price) !== null || (draft.price.trim() === '' && optionsPrice !== null)
    ? []
    : (['price'] as const)),
  ...(draft.station.trim() === '' ? (['station'] as const) : []),
  ...(isCount(draft.position) ? [] : (['position'] as const)),
  ...(isCount(draft.portions) ? [] : (['portions'] as const)),
  ...(isImage(draft.imageUrl) ? [] : (['imageUrl'] as const)),
];

/** Converts the draft to the input of the call that saves it. */
const bodyOf = (draft: DishDraft): Input<'createMenuItem'> => ({
  name: draft.name.trim(),
  description: draft.description.trim(),
  price: priceOf(draft.price) ?? '0.00',
  category: draft.category.trim() === '' ? null : draft.category.trim(),
  ...(draft.position.trim() !== '' && { position: Number(draft.position) }),
  station: draft.station.trim(),
  kitchen_name: draft.kitchenName.trim() || null,
  pricing: draft.pricing,
  allergens: [...draft.allergens],
  allergens_stated: draft.allergens.length > 0 || draft.noAllergens,
  option_group_ids: [...draft.groupIds],
  image_url: draft.imageUrl.trim() === '' ? null : draft.imageUrl.trim(),
  available: draft.available,
  portions_left: draft.portions.trim() === '' ? null : Number(draft.portions),
  name_translations: written(draft.nameTranslations),
  description_translations: written(draft.descriptionTranslations),
  ...(draft.categoryTranslations &&
    draft.category.trim() !== '' && { category_translations: written(draft.categoryTranslations) }),
});

/**
 * Converts the draft to the input of the call that adds the dish. Of the fields that the manager authorizes, and of those that the
 * last release doesn't know, it contains only what someone has entered.
 */
export function newDishOf(draft: DishDraft): Input<'createMenuItem'> {
  const {
    name_translations: names = {},
    option_group_ids: groupIds = [],
    kitchen_name: kitchenName,
    pricing,
    allergens_stated: _stated,
    ...body
  } = bodyOf(draft);
  return {
    ...body,
    ...(Object.keys(names).length > 0 && { name_translations: names }),
    ...(groupIds.length > 0 && { option_group_ids: groupIds }),
    ...(typeof kitchenName === 'string' && { kitchen_name: kitchenName }),
    ...(pricing !== 'fixed' && pricing !== undefined && { pricing }),
    ...(draft.noAllergens && { allergens_stated: true }),
  };
}

/**
 * Returns the fields that were changed in the draft. Untouched fields are left out, because orders reduce the portions in the
 * meantime.
 */
export function changesOf(draft: DishDraft, before: DishDraft): Partial<Input<'createMenuItem'>> {
  const [next, was] = [bodyOf(draft), bodyOf(before)];
  const changed = Object.entries(next).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(was[key as keyof typeof was]),
  );
  return Object.fromEntries(changed);
}

/** Returns the form's field for a pointer in a `validation_failed` response; undefined if there is none. */
export const fieldOf = (pointer: string): DraftField | undefined =>
  ({
    name: 'name',
    description: 'description',
    price: 'price',
    category: 'category',
    position: 'position',
    station: 'station',
    image_url: 'imageUrl',
    portions_left: 'portions',
    kitchen_name: 'kitchenName',
    option_group_ids: 'groupIds',
    pricing: 'pricing',
    name_translations: 'nameTranslations',
    description_translations: 'descriptionTranslations',
    category_translations: 'categoryTranslations',
  })[pointer.split('/')[1] ?? ''] as DraftField | undefined;
