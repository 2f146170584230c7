import type { Translations } from '@comanda/contracts/translations';
import { embeddedSchema } from '@comanda/shared/mongo/collections';

/**
 * Returns the schema for the translations of a text. Each may have up to `maxlength` characters. The field is absent in documents
 * from the first release.
 */
export function translationsSchema(maxlength: number) {
  const text = { type: String, maxlength, allowNull: false };
  return { type: embeddedSchema<Translations>({ en: text, 'pt-BR': text }), allowNull: false };
}
