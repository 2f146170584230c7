import type { Client, LiveItem } from '@comanda/client/core';
import { optionGroups } from '@comanda/client/collections/option-groups';
import type { OptionGroup } from '@comanda/contracts/option-groups';
import { chooseOptions } from '@comanda/contracts/options';
import { areGroupsKnown } from '@comanda/contracts/options-on-offer';
import { firstWrong, type Offer } from '@comanda/ui/options/choice.ts';
import { computed, signal, type ReadonlySignal } from '@preact/signals';

/** Follows the dishes with their option groups, after the first call of `load`. */
export function followOffer(client: Pick<Client, 'collection'>, dishes: ReadonlySignal<readonly LiveItem[] | null>) {
  const opened = signal<ReturnType<typeof openGroups> | null>(null);
  const openGroups = () => client.collection(optionGroups);
  return {
    /** All option groups and dishes, by id. Empty until they are loaded. */
    offer: computed<Offer>(() => ({
      groups: byId<OptionGroup>(opened.value?.rows.value ?? []),
      dishes: byId<LiveItem>(dishes.value ?? []),
    })),
    load: (): void => {
      if (opened.peek()) void opened.peek()?.load();
      else opened.value = openGroups();
    },
    close: (): void => opened.peek()?.close(),
  };
}
const byId = <T extends { id: number }>(all: readonly T[]): ReadonlyMap<number, T> =>
  new Map(all.map((each) => [each.id, each]));

/** Returns true if the waiter must choose or enter something before the dish can be ordered. */
export function needsChoice(dish: LiveItem, offer: Offer): boolean {
  const { groups } = offer;
  const { option_group_ids: groupIds = [], pricing = 'fixed' } = dish;
  if (pricing !== 'fixed' || !areGroupsKnown(groupIds, groups)) return true;
  return firstWrong(chooseOptions({ groupIds, asked: [] }, groups), groupIds, offer) !== null;
}
