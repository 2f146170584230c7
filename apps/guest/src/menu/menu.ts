import { groupBy } from '@comanda/contracts/collections';
import { textKey } from '@comanda/contracts/text-key';
import type { Client, LiveItem } from '@comanda/client/core';
import { menu } from '@comanda/client/collections/menu';
import { defaultCurrency } from '@comanda/contracts/rules';
import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import type { Allergen } from '@comanda/ui/allergens.ts';
import { openOrdering } from '@comanda/ui/open-ordering.ts';
import { matches } from '@comanda/ui/plain-text.ts';
import { stored } from '@comanda/ui/stored-setting.ts';
import { inGuestLanguage, openMenuLanguage, type GuestDish } from '../in-guest-language.ts';
import { readKeptMenu, writeKeptMenu } from './kept-menu.ts';

const isText = (value: unknown): value is string => typeof value === 'string';
/** How long a page shows an earlier menu without a notice, in milliseconds. It is usually loaded by then. */
const quietMs = 3_000;
/** Allergens, with commas between them. */
const storedAllergens = stored('avoided', isText, '');

/** `lang`: of the name, if it is not that of the page. */
export type Category = { name: string | null; lang: GuestDish['categoryLang']; dishes: GuestDish[] };

export type Menu = ReturnType<typeof openMenu>;

/** The menu, kept up to date by the feed, with the search and the filter of this guest. */
export function openMenu(client: Client) {
  const earlier = readKeptMenu();
  const { rows, state, isLoaded, failure, loadedAtMs, load, close } = client.collection(menu, {
    known: earlier?.dishes,
  });
  /** As the restaurant writes them in its own language. Null until they are known. */
  const written = computed(() => (state.value === 'loading' ? null : rows.value));
  const menuLanguage = openMenuLanguage(client);
  const dishes = computed(() => written.value && inGuestLanguage(written.value, menuLanguage.spoken.value));
  const dishById = computed(() => new Map((dishes.value ?? []).map((dish) => [dish.id, dish])));
  const currency = computed(() => dishes.value?.[0]?.currency ?? defaultCurrency);

  const ordering = openOrdering(client);
  const stopKeeping = effect(() => {
    if (isLoaded.value) writeKeptMenu({ atMs: client.now(), dishes: rows.value });
  });
  const isSlow = signal(false);
  const timer = setTimeout(() => (isSlow.value = true), quietMs);
  return {
    dishes,
    menuLanguage: menuLanguage.spoken,
    failure,
    /** How old the shown menu is, by the server's time, while the phone cannot load it; null once it has. */
    knownAtMs: computed(() => (isSlow.value && loadedAtMs.value === 0 ? (earlier?.atMs ?? null) : null)),
    ...openChoice(written, dishes),
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

/** What this guest looks for, and does not eat. */
function openChoice(
  written: ReadonlySignal<readonly LiveItem[] | null>,
  dishes: ReadonlySignal<readonly GuestDish[] | null>,
) {
  const search = signal('');
  const avoided = signal<readonly Allergen[]>(storedAllergens.get().split(',').filter(Boolean) as Allergen[]);
  const isEaten = ({ allergens }: LiveItem): boolean => !allergens.some((each) => avoided.value.includes(each));
  const textOf = (dish: LiveItem | undefined): string =>
    dish ? `${dish.name} ${dish.description} ${dish.category ?? ''}` : '';
  /** By the words of the restaurant too: a waiter may have said them. */
  const found = computed(() =>
    (dishes.value ?? []).filter((dish, index) =>
      matches(`${textOf(dish)} ${textOf(written.value?.[index])}`, search.value),
    ),
  );
  const hiddenCount = computed(() => found.value.filter((dish) => !isEaten(dish)).length);
  /** What is shown: by category, in the order of the menu. */
  const categories = computed<Category[]>(() => {
    const shown = found.value.filter(isEaten).sort((a, b) => a.position - b.position);
    const groups = [...groupBy(shown, ({ category }) => category && textKey(category)).values()];
    return groups.map((all) => ({ name: all[0]?.category ?? null, lang: all[0]?.categoryLang, dishes: all }));
  });
  function avoid(allergens: readonly Allergen[]): void {
    avoided.value = allergens;
    storedAllergens.write(allergens.join());
  }
  return {
    search,
    setSearch: (text: string) => {
      search.value = text;
    },
    avoided,
    hiddenCount,
    categories,
    avoid,
    /** The kitchen states no allergens of it: it may contain what the guest cannot eat. */
    isUnstated: ({ allergens }: LiveItem): boolean => avoided.value.length > 0 && allergens.length === 0,
  };
}
