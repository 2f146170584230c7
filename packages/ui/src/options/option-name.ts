import type { Language } from '@comanda/contracts/rules';
import type { Translations } from '@comanda/contracts/translations';
import { language } from '../language.ts';

type Named = { name: string; name_translations?: Translations | undefined };
/**
 * Returns the name of an option or group in the person's language, where it is translated. `lang` is the name's language if it
 * isn't the page's. Without a `menuLanguage`, the name is as the restaurant wrote it, for staff.
 */
export function optionName(
  { name, name_translations: translations }: Named,
  menuLanguage: Language | undefined,
): { text: string; lang: Language | undefined } {
  const translation = menuLanguage && translations?.[language.value];
  if (translation !== undefined) return { text: translation, lang: undefined };
  return { text: name, lang: menuLanguage === language.value ? undefined : menuLanguage };
}
