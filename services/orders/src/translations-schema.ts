import type { Translations } from '@comanda/contracts/translations';
import { embeddedSchema } from '@comanda/shared/mongo/collections';

/**
 * The schema of translations of a text of at most `maxlength` characters. The field is absent in documents of the first release.
 */
export function translationsSchema(maxlength: number) {
  const text = { type: String, maxlength, allowNull: false };
  return { type: embeddedSchema<Translations>({ en: text, 'pt-BR': text }), allowNull: false };
}
