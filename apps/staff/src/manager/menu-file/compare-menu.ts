import type { Input, LiveItem } from '@comanda/client/core';
import { groupBy } from '@comanda/contracts/collections';
import { toMinor } from '@comanda/contracts/money';
import { textKey } from '@comanda/contracts/text-key';
import type { Translations } from '@comanda/contracts/translations';
import { translationOf, type ColumnKey } from './columns.ts';
import type { CellValue } from './read-cell.ts';
import type { Fault, FileRow, MenuFile } from './read-menu-file.ts';

type ImportedDish = Input<'importMenu'>['dishes'][number];
/** A field before and after the import. */
export type Difference = { key: ColumnKey; before: CellValue; after: CellValue };
/** A dish that the import adds (`dish` is null) or changes. `body` contains only what changes. */
export type DishChange = {
  line: number;
  name: string;
  dish: LiveItem | null;
  differences: readonly Difference[];
  body: ImportedDish;
};
export type Comparison = { changes: readonly DishChange[]; unchanged: number; faults: readonly Fault[] };

const maxPosition = 100_000;

/** Compares the file with the menu. Only what differs is sent: orders change the portions in the meantime. */
export function compareMenu(file: Pick<MenuFile, 'rows' | 'columns'>, dishes: readonly LiveItem[]): Comparison {
  const menu = indexOf(dishes);
  const firstLines = new Map<string, number>();
  const faults: Fault[] = [];
  const changes: DishChange[] = [];
  let unchanged = 0;
  let position = Math.max(0, ...dishes.map((dish) => dish.position));
  for (const row of file.rows) {
    const target = targetOf(row, menu);
    const found = faultsOf(row, { ...target, columns: file.columns, firstLines });
    faults.push(...found);
    if (found.length > 0) continue;
    const differences = differencesOf(row, target);
    if (target.dish && differences.length === 0) {
      unchanged++;
      continue;
    }
    const body = bodyOf(row, target, differences);
    // New dishes come after the others, in the order of the file.
    if (!target.dish && body.position === undefined) body.position = Math.min(++position, maxPosition);
    changes.push({ line: row.line, name: row.name, dish: target.dish, differences, body });
  }
  return { changes, unchanged, faults };
}

/** Finds dishes and categories by their names. Each key is computed once: the key of a long name is slow to compute. */
function indexOf(dishes: readonly LiveItem[]) {
  const byName = groupBy(dishes, ({ name }) => textKey(name));
  const byCategory = groupBy(dishes, ({ category }) => category && textKey(category));
  return {
    /** Finds the dish as the server does: release 1.0.0 may have stored two dishes whose names look the same. */
    dishNamed: (name: string): LiveItem | null => {
      const alike = byName.get(textKey(name)) ?? [];
      return (alike.length === 1 ? alike[0] : alike.find((dish) => dish.name === name)) ?? null;
    },
    translationsOf: (category: string | null): Translations =>
      (category === null ? undefined : byCategory.get(textKey(category))?.[0]?.category_translations) ?? {},
  };
}

/** The dish that a row changes, null for a new one; and the category that it has afterwards, with its translations. */
type Target = { dish: LiveItem | null; category: string | null; categoryTranslations: Translations };

function targetOf({ name, values }: FileRow, menu: ReturnType<typeof indexOf>): Target {
  const dish = menu.dishNamed(name);
  const sent = values.get('category');
  const category = typeof sent === 'string' || sent === null ? sent : (dish?.category ?? null);
  return { dish, category, categoryTranslations: menu.translationsOf(category) };
}

type Checked = Target & Pick<MenuFile, 'columns'> & { firstLines: Map<string, number> };

function faultsOf({ line, name, values }: FileRow, { dish, category, columns, firstLines }: Checked): Fault[] {
  const key = textKey(name);
  const first = firstLines.get(key);
  firstLines.set(key, first ?? line);
  const faults: Fault[] = [];
  const add = (of: ColumnKey, kind: Fault['kind'], text = ''): number =>
    faults.push({ line, column: columns.get(of) ?? null, kind, text });
  if (first !== undefined) add('name', 'twice', String(first));
  if (!dish && !values.has('price')) add('price', 'newNeedsPrice');
  for (const [each, value] of values)
    if (translationOf(each)?.field === 'category' && value !== '' && category === null) add(each, 'noCategory');
  return faults;
}

function differencesOf({ values }: FileRow, target: Target): Difference[] {
  return [...values].flatMap(([key, value]) => {
    const after = translationOf(key) ? (value ?? '') : value;
    const before = valueOf(key, target);
    return isSame(key, before, after) ? [] : [{ key, before, after }];
  });
}

/** Returns the translations that the dish has before the import. */
const translationsOf = (field: 'name' | 'description' | 'category', target: Target): Translations =>
  field === 'category' ? target.categoryTranslations : (target.dish?.[`${field}_translations`] ?? {});

/** Returns the field's value on the menu. A new dish starts with empty fields. */
function valueOf(key: ColumnKey, target: Target): CellValue {
  const translation = translationOf(key);
  if (translation) return translationsOf(translation.field, target)[translation.into] ?? '';
  if (key === 'pricing') return target.dish?.pricing ?? 'fixed';
  if (target.dish) return target.dish[key as keyof LiveItem] as CellValue;
  return key === 'allergens' ? [] : key === 'description' ? '' : null;
}

function isSame(key: ColumnKey, before: CellValue, after: CellValue): boolean {
  if (key === 'price' && typeof before === 'string' && typeof after === 'string')
    return toMinor(before) === toMinor(after);
  if (Array.isArray(before) && Array.isArray(after))
    return before.length === after.length && before.every((each) => after.includes(each));
  return before === after;
}

/** Creates the row of the call. It names the dish as the file does, which is also how its name is spelled afterwards. */
function bodyOf({ name }: FileRow, target: Target, differences: readonly Difference[]): ImportedDish {
  const fields: Record<string, unknown> = { name };
  const translations = new Map<string, Translations>();
  for (const { key, after } of differences) {
    const translation = translationOf(key);
    if (translation) {
      // The call replaces all translations of a field, so those into other languages are sent again.
      const member = `${translation.field}_translations`;
      const others = translations.get(member) ?? translationsOf(translation.field, target);
      translations.set(member, { ...others, [translation.into]: String(after) });
    } else fields[key] = after;
  }
  for (const [member, texts] of translations) fields[member] = written(texts);
  return fields as ImportedDish;
}

/** Drops empty translations. */
const written = (translations: Translations): Translations =>
  Object.fromEntries(Object.entries(translations).filter(([, text]) => text !== ''));
