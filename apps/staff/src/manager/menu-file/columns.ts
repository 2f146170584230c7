import { languages, type Language } from '@comanda/contracts/rules';
import { plain } from '@comanda/ui/plain-text.ts';

/** The fields of a dish that a column can contain. Translations have a column for each language. */
export const plainColumns = [
  'name',
  'description',
  'price',
  'pricing',
  'category',
  'station',
  'allergens',
  'portions_left',
  'available',
  'position',
  'image_url',
] as const;
export const translatedFields = ['name', 'description', 'category'] as const;
type TranslatedField = (typeof translatedFields)[number];
/** A column with the translations of a field into a language, such as `name_en`. */
type TranslatedColumn = `${TranslatedField}_${Language}`;
export type ColumnKey = (typeof plainColumns)[number] | TranslatedColumn;

/** Returns the field and the language of a column with translations; null for any other column. */
export function translationOf(key: ColumnKey): { field: TranslatedField; into: Language } | null {
  for (const field of translatedFields)
    for (const into of languages) if (key === `${field}_${into}`) return { field, into };
  return null;
}

/** The names that columns have in files of restaurants and cash registers, without accents and in lower case. */
const namesOf: Readonly<Record<(typeof plainColumns)[number], readonly string[]>> = {
  name: ['name', 'nome', 'dish', 'prato', 'item', 'produto', 'product', 'nome do prato', 'nome do produto'],
  description: ['description', 'descricao', 'descricao do prato', 'descricao do produto'],
  price: [
    'price',
    'preco',
    'valor',
    'price r',
    'preco r',
    'valor r',
    'preco de venda',
    'preco venda',
    'preco unitario',
  ],
  pricing: ['pricing', 'tipo de preco', 'cobranca'],
  category: ['category', 'categoria', 'section', 'secao', 'grupo', 'group'],
  station: ['station', 'praca', 'estacao', 'setor'],
  allergens: ['allergens', 'allergen', 'alergenicos', 'alergenos', 'alergenico'],
  portions_left: ['portions', 'portions left', 'porcoes', 'porcoes restantes', 'estoque', 'stock'],
  available: ['available', 'disponivel', 'ativo', 'active'],
  position: ['position', 'posicao', 'ordem', 'order'],
  image_url: ['image url', 'image', 'picture', 'picture address', 'imagem', 'endereco da imagem', 'foto', 'photo'],
};
const languageNames: Readonly<Record<Language, readonly string[]>> = {
  en: ['en', 'english', 'ingles'],
  'pt-BR': ['pt', 'pt br', 'portuguese', 'portugues'],
};
const keyByName = new Map<string, ColumnKey>(
  plainColumns.flatMap((key) => namesOf[key].map((name) => [name, key] as const)),
);
for (const field of translatedFields)
  for (const into of languages)
    for (const name of translatedNames(field, into)) keyByName.set(name, `${field}_${into}`);

/** Returns the names of a column with translations, such as `name en` and `name in english`. */
function translatedNames(field: TranslatedField, into: Language): string[] {
  const betweens = [' ', ' in ', ' em '];
  return namesOf[field].flatMap((name) =>
    languageNames[into].flatMap((language) => betweens.map((between) => `${name}${between}${language}`)),
  );
}

export type ReadColumns = {
  /** The field of each column; null for a column that isn't imported. */
  keys: readonly (ColumnKey | null)[];
  /** The names of the columns that aren't imported. */
  unknown: readonly string[];
  /** The names of two columns that contain the same field, if there are any. */
  twice: readonly [string, string] | null;
};

/** Finds out which field each column contains. A translation into the menu's own language is the text itself. */
export function readColumns(header: readonly string[], menuLanguage: Language): ReadColumns {
  const keys = header.map((name) => {
    const key =
      keyByName.get(
        plain(name)
          .replaceAll(/[^a-z0-9]+/g, ' ')
          .trim(),
      ) ?? null;
    const translation = key && translationOf(key);
    return translation?.into === menuLanguage ? translation.field : key;
  });
  const second = keys.findIndex((key, index) => key !== null && keys.indexOf(key) < index);
  const first = keys.indexOf(keys[second] ?? null);
  return {
    keys,
    unknown: header.filter((name, index) => keys[index] === null && name !== ''),
    twice: second === -1 ? null : [header[first] ?? '', header[second] ?? ''],
  };
}
