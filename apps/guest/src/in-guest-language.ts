import type { Client, LiveItem } from '@comanda/client/core';
import { restaurant } from '@comanda/client/collections/restaurant';
import { defaultLanguage, type Language } from '@comanda/contracts/rules';
import type { Translations } from '@comanda/contracts/translations';
import { language } from '@comanda/ui/language.ts';
import { computed } from '@preact/signals';

type Named = { name: string; name_translations?: Translations | undefined; options?: readonly Named[] };
/** The language of a text if it differs from the page's language, for screen readers [WCAG 3.1.2]. */
type Lang = Language | undefined;
/** A value with the language of its name. */
export type InGuestLanguage<T> = T & { lang?: Lang };
export type GuestDish = InGuestLanguage<LiveItem> & { descriptionLang?: Lang; categoryLang?: Lang };

type Text = { text: string; lang: Lang };
const textOf = (text: string, translations: Translations | undefined, menuLanguage: Language): Text => {
  const translation = translations?.[language.value];
  if (translation !== undefined) return { text: translation, lang: undefined };
  return { text, lang: menuLanguage === language.value ? undefined : menuLanguage };
};

export const nameOf = ({ name, name_translations: translations }: Named): string =>
  translations?.[language.value] ?? name;

/**
 * Returns the dish, or an order's or bill's line with its options, with names in the guest's language where the restaurant has
 * translated them.
 */
export function named<T extends Named>(each: T, menuLanguage: Language): InGuestLanguage<T> {
  const { text, lang } = textOf(each.name, each.name_translations, menuLanguage);
  const options = each.options?.map((option) => named(option, menuLanguage));
  return { ...each, name: text, lang, ...(options && { options }) };
}

/** Returns the dishes in the guest's language, where translated. A category's translation may come from any of its dishes. */
export function inGuestLanguage(dishes: readonly LiveItem[], menuLanguage: Language): readonly GuestDish[] {
  const categories = new Map<string | null, Translations>();
  for (const { category, category_translations: translations } of dishes)
    if (translations?.[language.value] !== undefined) categories.set(category, translations);
  return dishes.map((dish) => {
    const description = textOf(dish.description, dish.description_translations, menuLanguage);
    const category = dish.category === null ? null : textOf(dish.category, categories.get(dish.category), menuLanguage);
    return {
      ...named(dish, menuLanguage),
      description: description.text,
      descriptionLang: description.lang,
      category: category?.text ?? null,
      categoryLang: category?.lang,
    };
  });
}

/** Follows the language in which the restaurant writes its menu; the default language until that is loaded. */
export function openMenuLanguage(client: Pick<Client, 'collection'>) {
  const { rows, close } = client.collection(restaurant);
  return { code: computed<Language>(() => rows.value[0]?.language ?? defaultLanguage), close };
}
