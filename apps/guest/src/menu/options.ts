import { optionGroups } from '@comanda/client/collections/option-groups';
import type { Client, Collection, LiveItem } from '@comanda/client/core';
import { toAskedOption } from '@comanda/contracts/asked-options';
import { toItemOption } from '@comanda/contracts/chosen-options';
import type { ItemOption } from '@comanda/contracts/item-options';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import type { OptionGroup } from '@comanda/contracts/option-groups';
import { chooseOptions, unitPriceOf } from '@comanda/contracts/options';
import {
  allergensOf,
  areGroupsKnown,
  canBeOrdered,
  isOptionAvailable,
  priceFrom,
  verdictFor,
  type Verdict,
} from '@comanda/contracts/options-on-offer';
import type { Language } from '@comanda/contracts/rules';
import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import type { Allergen } from '@comanda/ui/allergens.ts';
import { firstWrong, flat, type Offer } from '@comanda/ui/options/choice.ts';
import type { OptionTrouble } from '@comanda/ui/options/defect-words.ts';
import { optionName } from '@comanda/ui/options/option-name.ts';
import type { GuestDish } from '../in-guest-language.ts';
import { onDeviceLater } from '../on-device-later.ts';

export type Options = ReturnType<typeof openOptions>;
/** A line of the basket as far as its options decide. `seenPrice`: the price of one dish with them. */
export type LineOptions = { options?: readonly ItemOption[]; seenPrice: string };
/** A dish or an option that contains what the guest can't eat. */
export type Clash = { name: string; allergens: readonly Allergen[] };
/** The parts of the menu that options need. */
type Menu = {
  dishes: ReadonlySignal<readonly GuestDish[] | null>;
  dishById: ReadonlySignal<ReadonlyMap<number, GuestDish>>;
  menuLanguage: ReadonlySignal<Language>;
};

/** The dishes' option groups, kept up to date by the feed, and what they mean for the menu and the basket. */
export function openOptions({ client, menu }: { client: Client; menu: Menu }) {
  const { opened, close } = followGroups(client, menu);
  const failure = computed(() => opened.value?.failure.value ?? null);
  /** Null until the groups are known. */
  const offer = computed<Offer | null>(() => {
    const { rows, state } = opened.value ?? {};
    if (!rows || !state || state.value === 'loading') return null;
    return { groups: new Map(rows.value.map((group) => [group.id, group])), dishes: menu.dishById.value };
  });
  /** Null until all groups of the dish are known. Those that an earlier visit has stored may lack some. */
  const offerFor = ({ option_group_ids: groupIds = [] }: LiveItem): Offer | null =>
    offer.value && areGroupsKnown(groupIds, offer.value.groups) ? offer.value : null;
  const choiceOf = (dish: LiveItem, { groups }: Offer, chosen: readonly ItemOption[] = []) =>
    chooseOptions<OptionGroup['options'][number], OptionGroup>(
      { groupIds: dish.option_group_ids ?? [], asked: chosen.map(toAskedOption) },
      groups,
    );
  /** Returns the names and allergens of the chosen options; null for allergens that aren't known. */
  const allergensIn = (chosen: readonly ItemOption[]) => {
    const now = offer.value;
    if (!now) return [];
    const offered = new Map([...now.groups.values()].flatMap(({ options }) => options.map((each) => [each.id, each])));
    return flat(chosen).flatMap((each) => {
      const option = offered.get(each.id);
      const { text: name } = optionName(each, menu.menuLanguage.value);
      return option ? [{ name, allergens: allergensOf(option, now) }] : [];
    });
  };
  return {
    offer,
    offerFor,
    failure,
    load: (): void => void opened.value?.load(),
    /** Returns false if the dish is sold out, or not enough of a required group is left; null if that isn't known. */
    canBeOrdered: (dish: LiveItem): boolean | null => {
      const now = offerFor(dish);
      return now && canBeOrdered(dish, now);
    },
    /** Says whether a guest who avoids these allergens may eat the dish; null if that isn't known. */
    verdictOf: (dish: LiveItem, avoided: ReadonlySet<Allergen>): Verdict | null => {
      const now = offerFor(dish);
      return now && verdictFor(dish, now, avoided);
    },
    /** Returns the dish's lowest price, and whether it depends on the options; null if that isn't known. */
    priceFrom: (dish: LiveItem): { price: string; varies: boolean } | null => {
      const now = offerFor(dish);
      if (!now) return null;
      const { price, varies } = priceFrom(dish, now);
      return { price: fromMinor(price), varies };
    },
    /** Returns the options with which the dish is ordered by its name alone; null if the guest must choose. */
    defaultsOf: (dish: LiveItem): LineOptions | null => {
      const now = offerFor(dish);
      if (!now) return null;
      const choice = choiceOf(dish, now);
      if (firstWrong(choice, dish.option_group_ids ?? [], now)) return null;
      return {
        options: choice.options.map(toItemOption),
        seenPrice: fromMinor(unitPriceOf(toMinor(dish.price), choice)),
      };
    },
    /**
     * Returns a line's options and price by the current menu. Options that are no longer offered keep the names and the price that
     * the guest saw. Null if the groups aren't known.
     */
    readLine: (line: LineOptions, dish: LiveItem): (LineOptions & { trouble: OptionTrouble | null }) | null => {
      const now = offerFor(dish);
      if (!now) return null;
      const choice = choiceOf(dish, now, line.options);
      const { defects } = choice;
      const out = flat(choice.options).filter(({ option }) => !isOptionAvailable(option, now));
      const soldOut = [...new Set(out.map(({ option }) => option.id))];
      if (defects.length + soldOut.length > 0)
        return { options: line.options ?? [], seenPrice: line.seenPrice, trouble: { defects, soldOut } };
      return {
        options: choice.options.map(toItemOption),
        seenPrice: fromMinor(unitPriceOf(toMinor(dish.price), choice)),
        trouble: null,
      };
    },
    /** Returns the chosen options that contain an allergen that the guest can't eat. */
    clashesOf: (chosen: readonly ItemOption[], uneatable: ReadonlySet<Allergen>): Clash[] => {
      return allergensIn(chosen).flatMap(({ name, allergens: all }) => {
        const allergens = all?.filter((each) => uneatable.has(each)) ?? [];
        return allergens.length === 0 ? [] : [{ name, allergens }];
      });
    },
    /** Returns true if the allergens of one of the chosen options aren't known. */
    areAnyUnstated: (chosen: readonly ItemOption[]): boolean =>
      allergensIn(chosen).some(({ allergens }) => allergens === null),
    /** Returns the option's name in the guest's language; null if the menu has no such option. */
    nameOf: (id: number): string | null => {
      const found = [...(offer.value?.groups.values() ?? [])]
        .flatMap(({ options }) => options)
        .find((each) => each.id === id);
      return found ? optionName(found, menu.menuLanguage.value).text : null;
    },
    close,
  };
}

/** Opens the groups once a dish on the menu has any, and stores them on this phone. */
function followGroups(client: Client, menu: Menu) {
  const opened = signal<Collection<OptionGroup> | null>(null);
  const hasGroups = computed(() => (menu.dishes.value ?? []).some(({ option_group_ids: ids = [] }) => ids.length > 0));
  const close = effect(() => {
    if (!hasGroups.value) return undefined;
    const groups = client.collection(optionGroups, { known: onDeviceLater.optionGroups.get() });
    const stopKeeping = effect(() => {
      if (groups.isLoaded.value) onDeviceLater.optionGroups.write(groups.rows.value);
    });
    opened.value = groups;
    return () => {
      opened.value = null;
      stopKeeping();
      groups.close();
    };
  });
  return { opened, close };
}
