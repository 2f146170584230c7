import type { LiveItem } from '@comanda/client/core';
import type { Language } from '@comanda/contracts/rules';
import type { Pricing } from '@comanda/contracts/weight';
import type { Allergen } from '@comanda/ui/allergens.ts';
import { plainColumns, translatedFields, translationOf, type ColumnKey } from './columns.ts';
import { writeCsv } from './read-csv.ts';

/** What changes during an evening. A file from before it would undo these changes when it is imported. */
const passing: ReadonlySet<ColumnKey> = new Set(['portions_left', 'available'] as const);

/** How the file names columns, allergens and ways of pricing in the manager's language. */
type FileWords = {
  columns: Readonly<Record<ColumnKey, string>>;
  allergens: Readonly<Record<Allergen, string>>;
  pricings: Readonly<Record<Pricing, string>>;
  /** True if amounts have a comma before the cents. Then a semicolon separates the cells, as spreadsheets expect. */
  hasDecimalComma: boolean;
};
type Menu = { dishes: readonly LiveItem[]; /** The languages of the translations. */ others: readonly Language[] };

/** Returns the menu as a CSV file that can be imported again. */
export function exportMenu({ dishes, others }: Menu, words: FileWords): string {
  const columns: ColumnKey[] = [
    ...plainColumns.filter((key) => !passing.has(key)),
    ...others.flatMap((into) => translatedFields.map((field) => `${field}_${into}` as const)),
  ];
  const rows = dishes.map((dish) => columns.map((key) => cellOf(key, dish, words)));
  return writeCsv([columns.map((key) => words.columns[key]), ...rows], words.hasDecimalComma ? ';' : ',');
}

function cellOf(key: ColumnKey, dish: LiveItem, words: FileWords): string {
  const translation = translationOf(key);
  if (translation) return dish[`${translation.field}_translations`]?.[translation.into] ?? '';
  const value = dish[key as keyof LiveItem];
  if (key === 'price') return words.hasDecimalComma ? dish.price.replace('.', ',') : dish.price;
  if (key === 'allergens') return dish.allergens.map((each) => words.allergens[each]).join(', ');
  if (key === 'pricing') return words.pricings[dish.pricing ?? 'fixed'];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
