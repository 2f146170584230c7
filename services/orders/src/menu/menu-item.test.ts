import { describe, expect, test } from '@jest/globals';
import { dishesNamed, newDish, toMenuItem, withFields, type DishFields } from './menu-item.ts';

const dish = (id: number, name: string) => ({ ...newDish(id, 'BRL'), name });
const menu = [dish(1, 'Feijoada'), dish(2, 'Bolo'), dish(3, 'Bo\u00adlo')];

describe('dishesNamed', () => {
  test.each([
    ['the same name', 'Feijoada', 1],
    ['another case, with blanks around it', '  feijoada ', 1],
    ['an invisible character', 'Fei\u00adjoada', 1],
    ['the exact name, though another dish looks the same', 'BOLO', 2],
    ['the exact name of the other dish that looks the same', 'Bo\u00adlo', 3],
  ])('finds a dish by %s', (_, name, id) => {
    expect(dishesNamed(menu, [name]).get(name)?.id).toBe(id);
  });

  test.each([
    ['no dish has the name', 'Moqueca'],
    ['two dishes look the same, and neither has exactly this name', 'B\u00adolo'],
  ])('finds no dish if %s', (_, name) => {
    expect(dishesNamed(menu, [name])).toEqual(new Map([[name, undefined]]));
  });

  test("processes each dish's name only once, however many names are looked up", () => {
    let reads = 0;
    const counted = Object.defineProperty(dish(1, ''), 'name', { get: () => `Dish ${++reads}` });
    dishesNamed([counted], ['a', 'b', 'c', 'd']);

    expect(reads).toBe(1);
  });
});

type Stated = { when: string; before?: DishFields; fields?: DishFields; isStated: boolean };
test.each<Stated>([
  { when: 'only if staff say so', isStated: false },
  { when: 'once staff say so', fields: { allergens_stated: true }, isStated: true },
  { when: 'while some are named', fields: { allergens: ['milk'] }, isStated: true },
  {
    when: 'no longer when a call empties the list',
    before: { allergens: ['milk'], allergens_stated: true },
    fields: { allergens: [] },
    isStated: false,
  },
  {
    when: 'when a call that says so empties the list',
    before: { allergens: ['milk'] },
    fields: { allergens: [], allergens_stated: true },
    isStated: true,
  },
  {
    when: 'still when an empty list is sent again',
    before: { allergens_stated: true },
    fields: { allergens: [] },
    isStated: true,
  },
])("a dish's allergens are stated $when", ({ before = {}, fields = {}, isStated }) => {
  const changed = withFields(withFields(newDish(1, 'BRL'), before), fields);

  expect(toMenuItem(changed).allergens_stated).toBe(isStated);
});
