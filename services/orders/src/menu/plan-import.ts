import { isDeepStrictEqual } from 'node:util';
import type { BodyOf } from '@comanda/contracts/endpoint';
import type { importMenu } from '@comanda/contracts/menu';
import type { ProblemMembers } from '@comanda/contracts/problem';
import { textKey } from '@comanda/contracts/text-key';
import { dishesNamed, newDish, withFields, type Dish } from './menu-item.ts';
import { sharesNames, spreadNames, translationErrors, type KeyOf } from './spread-names.ts';
import type { DishStep } from './write-dishes.ts';

type Row = BodyOf<typeof importMenu>['dishes'][number];
type Errors = NonNullable<ProblemMembers['errors']>;
/** A row of the import, and the dish on the menu with its name; null for a new dish. */
type Match = { row: Row; dish: Dish | null };
/** The dishes to write, and how many of the rows change nothing. */
export type ImportPlan = { steps: readonly DishStep[]; unchanged: number };
/** `dishes`: all dishes on the menu. */
type Import = { dishes: readonly Dish[]; rows: readonly Row[] };

/** Returns a function like `textKey` that computes each key only once. An import compares each name with all others. */
function rememberingKeys(): KeyOf {
  const keys = new Map<string, string>();
  return (name) => {
    const key = keys.get(name) ?? textKey(name);
    keys.set(name, key);
    return key;
  };
}

/** Finds each row's dish by its name. Returns the errors in all rows too, each with its pointer. */
export function matchRows({ dishes, rows }: Import): { matches: readonly Match[]; errors: Errors } {
  const keyOf = rememberingKeys();
  const stored = new Set(dishes.map(({ name }) => keyOf(name)));
  const found = dishesNamed(
    dishes,
    rows.map(({ name }) => name),
  );
  const firstWith = new Map<string, number>();
  const errors: { pointer: string; detail: string }[] = [];
  const matches = rows.map((row, at): Match => {
    const pointer = `/dishes/${at}`;
    const key = keyOf(row.name);
    const dish = found.get(row.name) ?? null;
    const first = firstWith.get(key);
    if (first === undefined) firstWith.set(key, at);
    else errors.push({ pointer: `${pointer}/name`, detail: `must differ from the name in /dishes/${first}` });
    if (dish === null && stored.has(key)) errors.push({ pointer: `${pointer}/name`, detail: severalDishes });
    else if (dish === null && row.price === undefined)
      errors.push({ pointer: `${pointer}/price`, detail: newNeedsPrice });
    const after = withFields(dish ?? newDish(0, ''), row);
    errors.push(...translationErrors({ after, sent: row.category_translations }, pointer));
    return { row, dish };
  });
  return { matches, errors };
}

/**
 * Decides what an import without errors writes: the same as if a manager sent its rows one by one, but each dish is written at
 * most once. The first new dish gets the id `firstId`.
 */
export function planImport(
  dishes: readonly Dish[],
  matches: readonly Match[],
  { firstId, currency }: { firstId: number; currency: string },
): ImportPlan {
  const keyOf = rememberingKeys();
  const stored = new Map(dishes.map((dish) => [dish.id, dish]));
  const current = new Map(stored);
  let nextId = firstId;
  const written = matches.map(({ row, dish }) => {
    const before = dish && (current.get(dish.id) ?? dish);
    const naming = {
      before,
      after: withFields(before ?? newDish(nextId++, currency), row),
      sent: row.category_translations,
    };
    const steps = sharesNames(naming) ? spreadNames([...current.values()], naming, keyOf) : [naming];
    for (const { after } of steps) current.set(after.id, after);
    return naming.after.id;
  });
  const steps = [...current.values()].flatMap((dish) => stepOf(stored.get(dish.id) ?? null, dish));
  const changed = new Set(steps.map(({ after }) => after.id));
  return { steps, unchanged: written.filter((id) => !changed.has(id)).length };
}

/** Returns the step from the stored version to the next one; empty if nothing differs. `before` is null for a new dish. */
function stepOf(before: Dish | null, dish: Dish): DishStep[] {
  if (before === null) return [{ before, after: { ...dish, version: 1 } }];
  const isSame = isDeepStrictEqual({ ...dish, version: before.version }, before);
  return isSame ? [] : [{ before, after: { ...dish, version: before.version + 1 } }];
}

const newNeedsPrice = 'is required for a new dish: no dish on the menu has this name';
const severalDishes = 'several dishes on the menu have this name: rename all but one first';
