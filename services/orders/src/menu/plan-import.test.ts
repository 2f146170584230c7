import { describe, expect, test } from '@jest/globals';
import { newDish, withFields, type Dish, type DishFields } from './menu-item.ts';
import { matchRows, planImport } from './plan-import.ts';

const stored = (id: number, fields: DishFields & { name: string }): Dish => ({
  ...withFields(newDish(id, 'BRL'), { price: '10.00', ...fields }),
  categoryTranslations: fields.category_translations ?? {},
  version: 3,
});
const feijoada = stored(1, { name: 'Feijoada', category: 'Pratos', station: 'cozinha' });
const moqueca = stored(2, { name: 'Moqueca', category: 'Pratos', station: 'cozinha' });
const menu = [feijoada, moqueca];

type Rows = Parameters<typeof matchRows>[0]['rows'];
const errorsIn = (rows: Rows, dishes = menu): string[] =>
  matchRows({ dishes, rows }).errors.map(({ pointer }) => pointer);
function plan(rows: Rows, dishes = menu) {
  const { matches, errors } = matchRows({ dishes, rows });
  expect(errors).toEqual([]);
  return planImport(dishes, matches, { firstId: 100, currency: 'BRL' });
}

describe('a menu import', () => {
  test('changes only the fields in its rows, and no other dishes', () => {
    const { steps, unchanged } = plan([{ name: 'Feijoada', price: '34.00' }]);

    expect(steps).toEqual([{ before: feijoada, after: { ...feijoada, priceMinor: 3400, version: 4 } }]);
    expect(unchanged).toBe(0);
  });

  test("finds a dish by another spelling, which becomes the dish's name", () => {
    const { steps } = plan([{ name: ' FEIJO\u00adADA ' }]);

    expect(steps).toMatchObject([{ before: feijoada, after: { id: 1, version: 4 } }]);
  });

  test('adds new dishes with consecutive ids', () => {
    const { steps } = plan([
      { name: 'Suco', price: '9', category: 'Bebidas' },
      { name: 'Chope', price: '12.5', category: ' BEBIDAS' },
    ]);

    expect(steps).toMatchObject([
      { before: null, after: { id: 100, name: 'Suco', priceMinor: 900, category: 'Bebidas', version: 1 } },
      { before: null, after: { id: 101, name: 'Chope', priceMinor: 1250, category: 'Bebidas', version: 1 } },
    ]);
  });

  test('writes nothing if its rows change nothing', () => {
    expect(plan([{ name: 'Feijoada', price: '10' }, { name: 'Moqueca' }])).toEqual({ steps: [], unchanged: 2 });
  });

  test('writes each dish only once, even if several rows change it', () => {
    const { steps, unchanged } = plan([
      { name: 'Feijoada', category_translations: { en: 'Mains' } },
      { name: 'Moqueca', price: '58.00', category_translations: { en: 'Main dishes' } },
    ]);

    const categoryTranslations = { en: 'Main dishes' };
    expect(steps).toEqual([
      { before: feijoada, after: { ...feijoada, categoryTranslations, version: 4 } },
      { before: moqueca, after: { ...moqueca, categoryTranslations, priceMinor: 5800, version: 4 } },
    ]);
    expect(unchanged).toBe(0);
  });

  test("changes dishes that it doesn't contain if it changes the spelling of their category", () => {
    const { steps } = plan([{ name: 'Feijoada', category: 'PRATOS' }]);

    expect(steps.map(({ after }) => [after.id, after.category, after.version])).toEqual([
      [1, 'PRATOS', 4],
      [2, 'PRATOS', 4],
    ]);
  });

  test.each<[string, Rows, string[]]>([
    ['a new dish without a price', [{ name: 'Moqueca' }, { name: 'Suco' }], ['/dishes/1/price']],
    [
      'the same name twice',
      [{ name: 'Suco', price: '1' }, { name: 'Moqueca' }, { name: 'SUCO', price: '2' }],
      ['/dishes/2/name'],
    ],
    [
      "a category's translations without a category",
      [{ name: 'Suco', price: '1', category_translations: { en: 'Drinks' } }],
      ['/dishes/0/category_translations'],
    ],
    [
      'several errors',
      [
        { name: 'Suco', category_translations: { en: 'Drinks' } },
        { name: 'Moqueca', category: null, category_translations: { en: 'Mains' } },
      ],
      ['/dishes/0/price', '/dishes/0/category_translations', '/dishes/1/category_translations'],
    ],
  ])('reports an error for each row and field in %s', (_what, rows, pointers) => {
    expect(errorsIn(rows)).toEqual(pointers);
  });

  test('requires the exact name if release 1.0.0 stored two dishes whose names look the same', () => {
    const twin = stored(3, { name: 'Feijoada\u00ad' });

    expect(errorsIn([{ name: 'FEIJO\u00adADA' }], [...menu, twin])).toEqual(['/dishes/0/name']);
    expect(plan([{ name: 'Feijoada', price: '34.00' }], [...menu, twin]).steps).toMatchObject([{ after: { id: 1 } }]);
  });

  test('writes each dish once if it has 500 rows for 500 dishes', () => {
    const dishes = Array.from({ length: 500 }, (_, at) =>
      stored(at + 1, { name: `Prato ${at}`, category: `Categoria ${at % 12}`, station: `estação ${at % 4}` }),
    );
    const rows = dishes.map(({ name, category }, at) => ({
      name,
      price: `${at}.50`,
      category,
      category_translations: { en: `Category ${at % 12}` },
    }));

    const { steps } = plan(rows, dishes);

    expect(steps).toHaveLength(500);
  });
});
