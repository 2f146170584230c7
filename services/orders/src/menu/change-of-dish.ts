import { isDeepStrictEqual } from 'node:util';
import type { MenuValues } from '@comanda/contracts/menu-changes';
import type { Actor } from '../actor.ts';
import type { MenuChange } from './menu-change.ts';
import { toMenuItem, type Dish } from './menu-item.ts';

type Who = { at: Date; actor: Actor };

/** Returns the differences between two versions of a dish; null if there are none. `before` is null for a new dish. */
export function changeOfDish({ before, after }: { before: Dish | null; after: Dish }, who: Who): MenuChange | null {
  const [old, now] = [before ? valuesOf(before) : {}, valuesOf(after)];
  const names = Object.keys(now).filter((name) => !isDeepStrictEqual(old[name as Name], now[name as Name])) as Name[];
  if (names.length === 0) return null;
  const type = before === null ? 'dish_added' : after.deleted ? 'dish_removed' : 'dish_changed';
  const dish = { id: after.id, name: before?.name ?? after.name };
  return { ...who, type, dish, optionGroup: null, before: pick(old, names), after: pick(now, names) };
}

type Name = keyof MenuValues;
const pick = (values: MenuValues, names: readonly Name[]): MenuValues =>
  Object.fromEntries(names.flatMap((name) => (name in values ? [[name, values[name]]] : [])));

function valuesOf(dish: Dish): MenuValues {
  const { id: _id, version: _version, currency: _currency, ...values } = toMenuItem(dish);
  return { ...values, ...(dish.deleted && { removed: true }) };
}
