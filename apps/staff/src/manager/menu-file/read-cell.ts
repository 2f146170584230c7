import { plain } from '@comanda/ui/plain-text.ts';
import type { Allergen } from '@comanda/ui/allergens.ts';
import type { Pricing } from '@comanda/contracts/weight';
import { translationOf, type ColumnKey } from './columns.ts';

export type CellValue = string | number | boolean | null | readonly Allergen[];
/** Why a cell is wrong. `text` is the part that is wrong. */
export type CellFault = {
  kind: 'price' | 'pricing' | 'allergen' | 'count' | 'yesOrNo' | 'picture' | 'tooLong' | 'rejected';
  text: string;
};
/** What a cell contains: a value, a fault, or nothing that changes the dish. */
export type ReadCell = { value: CellValue } | { fault: CellFault } | null;

const maxLength = { name: 255, description: 2_000, category: 64, station: 32, image_url: 255 } as const;

/**
 * Reads a cell. An empty cell removes the description, category, allergens, limit on portions, picture or translation. It leaves
 * all other fields as they are.
 */
export function readCell(key: ColumnKey, text: string): ReadCell {
  if (key === 'allergens') return readAllergens(text);
  if (key === 'portions_left') return text === '' ? { value: null } : readCount(text, 1_000_000);
  if (key === 'image_url') return text === '' ? { value: null } : readPicture(text);
  if (text === '' && keptIfEmpty.has(key)) return null;
  if (key === 'position') return readCount(text, 100_000);
  if (key === 'price') {
    const price = readPrice(text);
    return price === null ? fail('price', text) : { value: price };
  }
  if (key === 'pricing') {
    const pricing = pricingByWord.get(plain(text));
    return pricing === undefined ? fail('pricing', text) : { value: pricing };
  }
  if (key === 'available') {
    const isYes = yesOrNo.get(plain(text));
    return isYes === undefined ? fail('yesOrNo', text) : { value: isYes };
  }
  return readText(key, text);
}

const keptIfEmpty: ReadonlySet<ColumnKey> = new Set([
  'name',
  'price',
  'pricing',
  'station',
  'available',
  'position',
] as const);
const fail = (kind: CellFault['kind'], text: string): ReadCell => ({ fault: { kind, text } });
const readCount = (text: string, most: number): ReadCell =>
  /^\d{1,7}$/.test(text) && Number(text) <= most ? { value: Number(text) } : fail('count', text);
const readPicture = (text: string): ReadCell =>
  /^(https:\/\/|\/)\S*$/.test(text) && text.length <= maxLength.image_url ? { value: text } : fail('picture', text);

function readText(key: ColumnKey, text: string): ReadCell {
  const field = translationOf(key)?.field ?? (key as keyof typeof maxLength);
  const value = field === 'description' ? text : text.replaceAll(/\s+/g, ' ');
  if (value.length > maxLength[field]) return fail('tooLong', text);
  return { value: key === 'category' && value === '' ? null : value };
}

/**
 * Converts `14`, `14,5`, `14.00`, `R$ 14,00` or `1.250,00` to the API's format. Returns null for anything else, also for `1.250`,
 * which is more than a thousand in some countries and little more than one in others.
 */
export function readPrice(typed: string): string | null {
  const text = typed.replaceAll(/\s|R\$|\u20ac|US\$|\$/g, '');
  const grouped = /^(\d{1,3})(?:\.\d{3})+,\d{2}$|^(\d{1,3})(?:,\d{3})+\.\d{2}$/.test(text);
  const decimal = grouped ? `${text.slice(0, -3).replaceAll(/[.,]/g, '')}.${text.slice(-2)}` : text.replace(',', '.');
  const [, whole = '', fraction = ''] = /^0*(\d{1,8})(?:\.(\d{1,2}))?$/.exec(decimal) ?? [];
  return whole === '' ? null : `${whole}.${fraction.padEnd(2, '0')}`;
}

const pricingWords: Readonly<Record<Pricing, readonly string[]>> = {
  fixed: ['fixed', 'fixo', 'preco fixo', 'un', 'und', 'unid', 'unit', 'unidade'],
  open: ['open', 'aberto', 'preco aberto', 'variavel', 'a combinar'],
  per_kg: ['per kg', 'por kg', 'kg', 'kilo', 'quilo', 'por quilo', 'per_kg'],
};
const pricingByWord = new Map(
  (Object.entries(pricingWords) as [Pricing, readonly string[]][]).flatMap(([pricing, words]) =>
    words.map((word) => [word, pricing] as const),
  ),
);
const yesOrNo = new Map<string, boolean>([
  ...['yes', 'sim', 's', 'y', 'true', 'verdadeiro', '1', 'x', 'ativo', 'disponivel'].map(
    (word) => [word, true] as const,
  ),
  ...['no', 'nao', 'n', 'false', 'falso', '0', 'inativo', 'esgotado', 'indisponivel'].map(
    (word) => [word, false] as const,
  ),
]);

/** Words for each allergen, in lower case and without accents. Each word means exactly one allergen. */
const allergenWords: Readonly<Record<Allergen, readonly string[]>> = {
  gluten: ['gluten', 'trigo', 'wheat', 'cevada', 'barley', 'centeio', 'rye', 'aveia', 'oats'],
  crustaceans: [
    'crustaceans',
    'crustacean',
    'crustaceos',
    'crustaceo',
    'camarao',
    'shrimp',
    'lagosta',
    'siri',
    'caranguejo',
  ],
  eggs: ['eggs', 'egg', 'ovos', 'ovo'],
  fish: ['fish', 'peixe', 'peixes'],
  peanuts: ['peanuts', 'peanut', 'amendoim', 'amendoins'],
  soybeans: ['soybeans', 'soybean', 'soy', 'soya', 'soja'],
  milk: ['milk', 'leite', 'lactose', 'laticinios', 'dairy'],
  nuts: ['nuts', 'nozes e castanhas', 'nozes', 'castanhas', 'castanha', 'amendoas', 'tree nuts'],
  celery: ['celery', 'aipo', 'salsao'],
  mustard: ['mustard', 'mostarda'],
  sesame: ['sesame', 'gergelim', 'sesamo'],
  sulphites: ['sulphites', 'sulfites', 'sulfitos', 'sulfito'],
  lupin: ['lupin', 'tremoco', 'tremocos'],
  molluscs: ['molluscs', 'mollusks', 'moluscos', 'molusco', 'lula', 'polvo', 'mexilhao', 'ostra'],
};
const allergenByWord = new Map(
  (Object.entries(allergenWords) as [Allergen, readonly string[]][]).flatMap(([allergen, words]) =>
    words.map((word) => [word, allergen] as const),
  ),
);
const noAllergens: ReadonlySet<string> = new Set([
  '',
  '-',
  'none',
  'no',
  'nenhum',
  'nao',
  'nao contem',
  'sem alergenicos',
]);

function readAllergens(text: string): ReadCell {
  if (noAllergens.has(plain(text))) return { value: [] };
  const found = new Set<Allergen>();
  for (const part of partsOf(text)) {
    const allergen = allergenByWord.get(plain(part));
    if (!allergen) return { fault: { kind: 'allergen', text: part } };
    found.add(allergen);
  }
  return { value: [...found] };
}

/** Splits a list inside a cell. A part such as "leite e ovos" is split once more, unless it is itself the name of an allergen. */
function partsOf(text: string): string[] {
  const clean = (part: string): string =>
    part
      .replace(/^\s*(?:contém|contem|contains):?\s/i, '')
      .replace(/\.$/, '')
      .trim();
  return text
    .split(/[,;|/\n+]/)
    .map(clean)
    .flatMap((part) => (allergenByWord.has(plain(part)) ? part : part.split(/\s+(?:e|and|&)\s+/i)))
    .filter((part) => part !== '');
}
