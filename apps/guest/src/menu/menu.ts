import { groupBy } from '@comanda/contracts/collections';
import { textKey } from '@comanda/contracts/text-key';
import type { Client, LiveItem } from '@comanda/client';
import { defaultCurrency } from '@comanda/contracts/rules';
import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Allergen } from '@comanda/ui/allergens.ts';
import { openOrdering } from '@comanda/ui/open-ordering.ts';
import { matches } from '@comanda/ui/plain-text.ts';
import { stored } from '@comanda/ui/stored-setting.ts';
import { inGuestLanguage, openMenuLanguage, type GuestDish } from '../in-guest-language.ts';
import { readKeptMenu, writeKeptMenu } from './kept-menu.ts';

const isText = (value: unknown): value is string => typeof value === 'string';
/** Allergens, with commas between them. */
const storedAllergens = stored('avoided', isText, '');

/** `lang`: of the name, if it is not that of the page. */
export type Category = { name: string | null; lang: GuestDish['categoryLang']; dishes: GuestDish[] };

export type Menu = ReturnType<typeof openMenu>;

/** The menu, kept up to date by the feed, with the search and the filter of this guest. */
export function openMenu(client: Client) {
  /** As the restaurant writes them in its own language. Null until they were read once. */
  const written = signal<readonly LiveItem[] | null>(null);
  const menuLanguage = openMenuLanguage(client);
  const dishes = computed(() => written.value && inGuestLanguage(written.value, menuLanguage.spoken.value));
  const failure = signal<unknown>(null);
  const dishById = computed(() => new Map((dishes.value ?? []).map((dish) => [dish.id, dish])));
  const currency = computed(() => dishes.value?.[0]?.currency ?? defaultCurrency);

  const ordering = openOrdering(client);
  const known = openKnownMenu(written);
  const live = client.liveMenu({
    onChange: (all) => {
      // It is empty when the session changes, and may have nothing but the dish of one event until it has been read.
      if (!live.isRead()) return;
      known.keep(all, client.now());
      written.value = all;
      failure.value = null;
    },
  });
  /** The live list repeats a failed read in silence. The first read is made here too, so that its failure can be shown. */
  async function readFirst(): Promise<void> {
    failure.value = null;
    try {
      const read = await client.calls.listMenu();
      if (known.isShown()) written.value = read;
      written.value ??= read;
      known.keep(read, client.now());
    } catch (error) {
      failure.value = error;
    }
    void menuLanguage.read(); // after the menu, for which somebody waits
  }
  void readFirst();
  return {
    dishes,
    menuLanguage: menuLanguage.spoken,
    failure,
    knownAtMs: known.atMs,
    ...openChoice(written, dishes),
    dishById,
    currency,
    readAgain: () => void readFirst(),
    ordering,
    close: () => {
      live.close();
      known.close();
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

/** For so long a page with an earlier menu says nothing: the menu is usually read meanwhile. */
const quietMs = 3_000;

/** The menu of an earlier visit, which is shown until the phone has read it again. */
function openKnownMenu(written: Signal<readonly LiveItem[] | null>) {
  const kept = readKeptMenu();
  /** When the menu was as it is shown, if the phone cannot read it; null if it has. */
  const atMs = signal<number | null>(null);
  let isShown = kept !== null;
  if (kept) written.value = kept.dishes;
  const timer = setTimeout(() => {
    if (isShown && kept) atMs.value = kept.atMs;
  }, quietMs);
  return {
    atMs,
    isShown: (): boolean => isShown,
    /** The server's menu is shown from now on. */
    keep: (read: readonly LiveItem[], now: number): void => {
      isShown = false;
      atMs.value = null;
      writeKeptMenu({ atMs: now, dishes: read });
    },
    close: (): void => clearTimeout(timer),
  };
}
