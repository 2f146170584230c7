import type { Client } from '@comanda/client/core';
import { restaurant } from '@comanda/client/collections/restaurant';
import { defaultCurrency, defaultLanguage, languages, type Language } from '@comanda/contracts/rules';
import { computed } from '@preact/signals';

export type Restaurant = ReturnType<typeof openRestaurant>;

/** The restaurant's currency. Until it is loaded, the default one. */
export const currencyOf = ({ settings }: Pick<Restaurant, 'settings'>): string =>
  settings.value?.currency ?? defaultCurrency;

/** Follows the restaurant's name, its logo, and the language in which it writes its menu. */
export function openRestaurant(client: Pick<Client, 'calls' | 'collection'>) {
  const { rows, close } = client.collection(restaurant);
  const language = computed<Language>(() => rows.value[0]?.language ?? defaultLanguage);
  return {
    /** The restaurant's name; empty until it is loaded, so cards that are printed earlier have no name. */
    name: computed(() => rows.value[0]?.name ?? ''),
    /** All settings; null until they are loaded. */
    settings: computed(() => rows.value[0] ?? null),
    /** The logo's address; null for none. */
    logo: computed(() => rows.value[0]?.logo ?? null),
    /** -1 until it is loaded. */
    version: computed(() => rows.value[0]?.version ?? -1),
    language,
    /** The other languages, into which the restaurant can translate its menu. */
    others: computed(() => languages.filter((each) => each !== language.value)),
    /** Sets the menu's language. @throws CallFailure */
    setLanguage: async (chosen: Language): Promise<void> => {
      await client.calls.putRestaurant({ language: chosen });
    },
    close,
  };
}
