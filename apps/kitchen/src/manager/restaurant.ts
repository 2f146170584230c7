import { CallFailure, type Client } from '@comanda/client';
import { defaultLanguage, languages, type Language } from '@comanda/contracts/rules';
import { computed, signal } from '@preact/signals';

export type Restaurant = ReturnType<typeof openRestaurant>;

/** What the restaurant is called, and in which language it writes its menu. */
export function openRestaurant(client: Client) {
  /** Empty until it was read. */
  const name = signal('');
  const language = signal<Language>(defaultLanguage);

  let isLanguageSet = false;
  async function readOnce(): Promise<void> {
    try {
      const read = await client.calls.getRestaurant();
      name.value = read.name;
      // The answer may be older than what was set here.
      if (!isLanguageSet) language.value = read.language ?? defaultLanguage;
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error; // printed cards stand without the name
    }
  }
  void readOnce();
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
  };
}
