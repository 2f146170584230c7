import type { Translations } from '@comanda/contracts/translations';
import { embeddedSchema } from '@comanda/shared/mongo/collections';

/** How texts of so many characters in other languages are stored. The member is absent in documents of the first release. */
export function translationsSchema(maxlength: number) {
  const text = { type: String, maxlength, allowNull: false };
  return { type: embeddedSchema<Translations>({ en: text, 'pt-BR': text }), allowNull: false };
}
