import type { LiveItem } from '@comanda/client';
import type { Translations } from '@comanda/contracts/translations';
import { language } from '@comanda/ui/language.ts';

type Named = { name: string; name_translations?: Translations | undefined };

/** A dish, or what an order or a bill has of it: its name as the house has written it for this guest, if it has. */
export function named<T extends Named>(each: T): T {
  const name = each.name_translations?.[language.value];
  return name === undefined ? each : { ...each, name };
}

/** The dishes as the house has written them for this guest. A category has one name, whichever of its dishes has it. */
export function inGuestLanguage(dishes: readonly LiveItem[]): readonly LiveItem[] {
  const categories = new Map<string | null, string>();
  for (const { category, category_translations: translations } of dishes) {
    const translation = translations?.[language.value];
    if (translation !== undefined) categories.set(category, translation);
  }
  return dishes.map((dish) => ({
    ...named(dish),
    description: dish.description_translations?.[language.value] ?? dish.description,
    category: categories.get(dish.category) ?? dish.category,
  }));
}
