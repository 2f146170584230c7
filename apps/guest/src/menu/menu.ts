import { groupBy } from '@comanda/contracts/collections';
import type { Verdict } from '@comanda/contracts/options-on-offer';
import { textKey } from '@comanda/contracts/text-key';
import type { Client, LiveItem } from '@comanda/client/core';
import { menu } from '@comanda/client/collections/menu';
import { defaultCurrency } from '@comanda/contracts/rules';
import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import type { Allergen } from '@comanda/ui/allergens.ts';
import { isSoldOut } from '@comanda/ui/availability.ts';
import { openOrdering } from '@comanda/ui/open-ordering.ts';
import { matches } from '@comanda/ui/plain-text.ts';
import { inGuestLanguage, openMenuLanguage, type GuestDish } from '../in-guest-language.ts';
import { onDevice } from '../on-device.ts';
import type { Options } from './options.ts';

/** How long a page shows a stored menu without a notice, in milliseconds. The current menu usually arrives sooner. */
const quietMs = 3_000;

/** A section of the menu. `lang` is the language of its name if that differs from the page's language. */
export type Category = { name: string | null; lang: GuestDish['categoryLang']; dishes: GuestDish[] };

export type Menu = ReturnType<typeof openMenu>;

/** Returns false for a dish that only staff can order, because they weigh it or set its price. */
export const isForGuests = ({ pricing = 'fixed' }: LiveItem): boolean => pricing === 'fixed';
/** Returns true if the dish's whole list of allergens is known, apart from those of its options. */
export const areStated = ({ allergens, allergens_stated: stated = false }: LiveItem): boolean =>
  stated || allergens.length > 0;
export const hasOptions = ({ option_group_ids: ids = [] }: LiveItem): boolean => ids.length > 0;

/**
 * The menu, kept up to date by the feed, with this guest's search and filter. `options` is null until that part of the app is
 * loaded.
 */
export function openMenu(client: Client, options: ReadonlySignal<Options | null>) {
  const earlier = onDevice.menu.get();
  const { rows, state, isLoaded, failure, loadedAtMs, load, close } = client.collection(menu, {
    known: earlier?.dishes,
  });
  /** The dishes in the restaurant's own language; null until they are known. */
  const written = computed(() => (state.value === 'loading' ? null : rows.value));
  const menuLanguage = openMenuLanguage(client);
  const dishes = computed(() => written.value && inGuestLanguage(written.value, menuLanguage.code.value));
  const dishById = computed(() => new Map((dishes.value ?? []).map((dish) => [dish.id, dish])));
  const currency = computed(() => dishes.value?.[0]?.currency ?? defaultCurrency);

  const ordering = openOrdering(client);
  const stopKeeping = effect(() => {
    if (isLoaded.value) onDevice.menu.write({ atMs: client.now(), dishes: rows.value });
  });
  const isSlow = signal(false);
  const timer = setTimeout(() => (isSlow.value = true), quietMs);
  return {
    dishes,
    menuLanguage: menuLanguage.code,
    failure,
    /**
     * When the shown menu was loaded, by the server's clock, if it comes from this phone's storage; null once the current one is
     * loaded.
     */
    knownAtMs: computed(() => (isSlow.value && loadedAtMs.value === 0 ? (earlier?.atMs ?? null) : null)),
    ...openChoice({ written, dishes, options }),
    /** Returns true if the dish is sold out, or not enough is left of what must be chosen with it. */
    isOut: (dish: LiveItem): boolean => isSoldOut(dish) || options.value?.canBeOrdered(dish) === false,
    dishById,
    currency,
    loadAgain: () => void load(),
    ordering,
    close: () => {
      clearTimeout(timer);
      stopKeeping();
      close();
      ordering.close();
      menuLanguage.close();
    },
  };
}

type ChoiceDeps = {
  written: ReadonlySignal<readonly LiveItem[] | null>;
  dishes: ReadonlySignal<readonly GuestDish[] | null>;
  options: ReadonlySignal<Options | null>;
};
/** The guest's search text and avoided allergens, and the dishes that match them. */
function openChoice({ written, dishes, options }: ChoiceDeps) {
  const search = signal('');
  const avoided = computed(() => onDevice.avoided.signal.value.split(',').filter(Boolean) as Allergen[]);
  /** Says whether a guest who can't eat these allergens may eat the dish. */
  function verdictOf(dish: LiveItem, uneatable: ReadonlySet<Allergen>): Verdict {
    const { allergens } = dish;
    if (allergens.some((each) => uneatable.has(each))) return 'clash';
    return options.value?.verdictOf(dish, uneatable) ?? (areStated(dish) && !hasOptions(dish) ? 'fits' : 'ask');
  }
  const isEaten = (dish: LiveItem): boolean =>
    avoided.value.length === 0 || verdictOf(dish, new Set(avoided.value)) !== 'clash';
  const textOf = (dish: LiveItem | undefined): string =>
    dish ? `${dish.name} ${dish.description} ${dish.category ?? ''}` : '';
  /** The search also matches the restaurant's own names for dishes, because a waiter may have used them. */
  const found = computed(() =>
    (dishes.value ?? []).filter((dish, index) =>
      matches(`${textOf(dish)} ${textOf(written.value?.[index])}`, search.value),
    ),
  );
  const hiddenCount = computed(() => found.value.filter((dish) => !isEaten(dish)).length);
  /** The dishes to show, grouped by category in the menu's order. */
  const categories = computed<Category[]>(() => {
    const shown = found.value.filter(isEaten).sort((a, b) => a.position - b.position);
    const groups = [...groupBy(shown, ({ category }) => category && textKey(category)).values()];
    return groups.map((all) => ({ name: all[0]?.category ?? null, lang: all[0]?.categoryLang, dishes: all }));
  });
  return {
    search,
    setSearch: (text: string) => {
      search.value = text;
    },
    avoided,
    hiddenCount,
    categories,
    avoid: (allergens: readonly Allergen[]): void => onDevice.avoided.write(allergens.join()),
    verdictOf,
  };
}
