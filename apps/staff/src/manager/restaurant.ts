import type { Client } from '@comanda/client/core';
import { restaurant } from '@comanda/client/collections/restaurant';
import { defaultLanguage, languages, type Language } from '@comanda/contracts/rules';
import { computed } from '@preact/signals';

export type Restaurant = ReturnType<typeof openRestaurant>;

/** What the restaurant is called, and in which language it writes its menu. */
export function openRestaurant(client: Pick<Client, 'calls' | 'collection'>) {
  const { rows, close } = client.collection(restaurant);
  const language = computed<Language>(() => rows.value[0]?.language ?? defaultLanguage);
  return {
    /** Empty until it is loaded: printed cards have no name until then. */
    name: computed(() => rows.value[0]?.name ?? ''),
    language,
    /** The languages into which it translates. */
    others: computed(() => languages.filter((each) => each !== language.value)),
    /** @throws CallFailure */
    setLanguage: async (chosen: Language): Promise<void> => {
      await client.calls.putRestaurant({ language: chosen });
    },
    close,
  };
}
