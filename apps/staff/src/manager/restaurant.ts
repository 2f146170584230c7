import type { Client } from '@comanda/client';
import { defaultLanguage, languages, type Language } from '@comanda/contracts/rules';
import { createRetry } from '@comanda/ui/retry.ts';
import { computed, signal } from '@preact/signals';

export type Restaurant = ReturnType<typeof openRestaurant>;

/** What the restaurant is called, and in which language it writes its menu. */
export function openRestaurant(client: Client) {
  /** Empty until it was read. */
  const name = signal('');
  const language = signal<Language>(defaultLanguage);

  let isLanguageSet = false;
  const retry = createRetry(() => void read());
  async function read(): Promise<void> {
    try {
      const found = await client.calls.getRestaurant();
      name.value = found.name;
      // The answer may be older than what was set here.
      if (!isLanguageSet) language.value = found.language ?? defaultLanguage;
    } catch (error) {
      retry.fail(error); // until then, printed cards stand without the name
    }
  }
  void read();
  return {
    name,
    language,
    /** The languages into which it translates. */
    others: computed(() => languages.filter((each) => each !== language.value)),
    /** @throws CallFailure */
    setLanguage: async (chosen: Language): Promise<void> => {
      language.value = (await client.calls.putRestaurant({ language: chosen })).language ?? chosen;
      isLanguageSet = true;
    },
    close: retry.close,
  };
}
