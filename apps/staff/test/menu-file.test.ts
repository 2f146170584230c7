import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { LiveItem } from '@comanda/client/core';
import { allergens, importMenu } from '@comanda/contracts/menu';
import { menu, newDish } from '@comanda/testing/stand/data';
import type { Allergen } from '@comanda/ui/allergens.ts';
import { compareMenu } from '../src/manager/menu-file/compare-menu.ts';
import { canonicalDigest } from '../src/manager/menu-file/digest.ts';
import { exportMenu } from '../src/manager/menu-file/export-menu.ts';
import { en } from '../src/manager/menu-file/messages/en.ts';
import { ptBr } from '../src/manager/menu-file/messages/pt-br.ts';
import { readCell, readPrice } from '../src/manager/menu-file/read-cell.ts';
import { readCsv } from '../src/manager/menu-file/read-csv.ts';
import { decode } from '../src/manager/menu-file/read-file.ts';
import { readMenuFile, type MenuFile } from '../src/manager/menu-file/read-menu-file.ts';

const byName = Object.fromEntries(allergens.map((each) => [each, each])) as Record<Allergen, string>;
type Menu = readonly LiveItem[];
const live = (dishes: unknown): Menu => dishes as Menu;
const fileOf = (name: string): string => decode(readFileSync(new URL(`menu-files/${name}.csv`, import.meta.url)));

type Given = { dishes?: Menu; language?: 'en' | 'pt-BR' };
/** Reads a file and compares it with a menu. */
function importOf(text: string, { dishes = live(menu), language = 'pt-BR' }: Given = {}) {
  const file = readMenuFile(text, language) as MenuFile;
  const { changes, unchanged, faults } = compareMenu(file, dishes);
  return {
    unknown: file.unknown,
    bodies: changes.map(({ body }) => body),
    lines: changes.map(({ line }) => line),
    unchanged,
    faults: [...file.faults, ...faults].map(({ line, column, kind, text: wrong }) => [line, column, kind, wrong]),
  };
}
/** Returns the input of the calls, checked as the server does. */
const isAccepted = (dishes: readonly object[]): unknown =>
  importMenu.body?.validate({ dishes, sha256: canonicalDigest(dishes) }).error;

describe('files of restaurants', () => {
  test('from Excel in Brazil have semicolons, decimal commas and Windows-1252', () => {
    const { bodies, lines, unknown, faults } = importOf(fileOf('boteco'));
    expect(faults).toEqual([]);
    expect(unknown).toEqual(['Código']);
    expect(lines).toEqual([2, 3, 4, 6, 8, 9, 10]);
    expect(bodies).toMatchObject([
      { name: 'Pão de queijo', price: '15.00', category: 'ENTRADAS', station: 'Cozinha' },
      { price: '28.50', description: 'Massa de batata; recheio cremoso', allergens: ['gluten', 'milk'] },
      { name: 'Torresmo de rolo', price: '42.00', category: 'ENTRADAS' },
      { name: 'Feijoada', description: 'Completa para duas pessoas:\narroz, couve, farofa e laranja' },
      { price: '1250.00', description: 'Sob encomenda, até 20 pessoas' },
      { name: 'Chope "da casa" 300 ml', price: '9.90', allergens: ['gluten'], station: 'Bar' },
      { name: 'Caldo de cana', price: '12.00' },
    ]);
    expect(isAccepted(bodies)).toBeUndefined();
  });

  test('from Google Sheets have commas, quoted lists and lines, and translations', () => {
    const { bodies, faults } = importOf(fileOf('cafe'), { dishes: [], language: 'en' });
    expect(faults).toEqual([]);
    expect(bodies).toEqual([
      {
        name: 'Flat white',
        description: 'Double shot, oat milk on request',
        price: '16.00',
        category: 'Coffee',
        allergens: ['milk'],
        position: 1,
        name_translations: { 'pt-BR': 'Flat white' },
        category_translations: { 'pt-BR': 'Cafés' },
      },
      expect.objectContaining({
        name: 'Toast, sourdough',
        description: 'With butter, jam\nand "a lot of" love',
        allergens: ['gluten', 'milk'],
        portions_left: 12,
        name_translations: { 'pt-BR': 'Torrada, fermentação natural' },
      }),
      expect.objectContaining({ price: '38.00', allergens: ['eggs', 'gluten'], position: 3 }),
      expect.objectContaining({
        description: '+1 for the team',
        allergens: ['sesame', 'gluten', 'nuts'],
        portions_left: 0,
      }),
    ]);
    expect(isAccepted(bodies)).toBeUndefined();
  });

  test('from a cash register name the line and the column of each mistake', () => {
    const { faults, unknown } = importOf(fileOf('caixa'), { dishes: live([newDish({ name: 'Moqueca' })]) });
    expect(unknown).toEqual(['Custo']);
    expect(faults).toEqual([
      [3, 'Preço de venda', 'price', 'sob consulta'],
      [4, 'Preço de venda', 'price', '1.250'],
      [5, 'Ativo', 'yesOrNo', 'talvez'],
      [7, 'Nome', 'noName', ''],
      [8, 'Estoque', 'count', 'meia dúzia'],
      [9, null, 'cells', '10/8'],
      [10, 'Preço de venda', 'newNeedsPrice', ''],
    ]);
  });
});

describe('an import', () => {
  const dish = (differs: Partial<LiveItem> = {}): Menu => live([newDish({ name: 'Bobó', version: 2, ...differs })]);

  test('changes no field whose column the file lacks', () => {
    const { bodies } = importOf('nome;preço\nBobó;21,00', {
      dishes: dish({ allergens: ['milk'], category: 'Pratos' }),
    });
    expect(bodies).toEqual([{ name: 'Bobó', price: '21.00' }]);
  });

  test('does not send dishes that the file does not change', () => {
    const dishes = dish({ allergens: ['milk', 'eggs'] });
    expect(importOf('nome;preço;alergênicos\nBobó;20;ovos, leite', { dishes })).toMatchObject({
      bodies: [],
      unchanged: 1,
    });
  });

  test('reads portions after a price without cents', () => {
    const { bodies, faults } = importOf('name,price,portions\nBobó,21,12', { dishes: dish() });
    expect([bodies, faults]).toEqual([[{ name: 'Bobó', price: '21.00', portions_left: 12 }], []]);
  });

  test('sets how a dish is priced', () => {
    const { bodies } = importOf('nome;preço;tipo de preço\nPargo;79,90;Por kg\nBobó;;fixo', { dishes: dish() });
    expect(bodies).toEqual([{ name: 'Pargo', price: '79.90', pricing: 'per_kg', position: 91 }]);
  });

  test('empties fields whose cells are empty, except for the price', () => {
    const dishes = dish({ description: 'Com vatapá', category: 'Pratos', portions_left: 3, allergens: ['milk'] });
    const { bodies } = importOf('name,price,description,category,portions,allergens\nBobó,,,,,', { dishes });
    expect(bodies).toEqual([{ name: 'Bobó', description: '', category: null, portions_left: null, allergens: [] }]);
  });

  test('finds a dish in another spelling, and renames it', () => {
    expect(importOf('nome\nBOBÓ', { dishes: dish() }).bodies).toEqual([{ name: 'BOBÓ' }]);
  });

  test('keeps translations into languages that the file lacks', () => {
    const dishes = dish({ name_translations: { 'pt-BR': 'Bobó antigo' } });
    expect(importOf('nome;nome em inglês\nBobó;Shrimp stew', { dishes }).bodies).toEqual([
      { name: 'Bobó', name_translations: { 'pt-BR': 'Bobó antigo', en: 'Shrimp stew' } },
    ]);
  });

  test("reads a translation into the menu's own language as the text itself", () => {
    expect(importOf('name_pt;name_en;price\nCaruru;Okra stew;9', { dishes: [] }).bodies).toEqual([
      { name: 'Caruru', price: '9.00', position: 1, name_translations: { en: 'Okra stew' } },
    ]);
  });

  test.each([
    ['a new dish without a price', 'nome;preço\nCaruru;', [[2, 'preço', 'newNeedsPrice', '']]],
    ['the same dish twice', 'nome;preço\nCaruru;1\nCARURU;2', [[3, 'nome', 'twice', '2']]],
    [
      'the translation of no category',
      'nome;preço;categoria em inglês\nCaruru;1;Mains',
      [[2, 'categoria em inglês', 'noCategory', '']],
    ],
    [
      'an unknown allergen',
      'nome;alergênicos\nBobó;leite, frutos do mar',
      [[2, 'alergênicos', 'allergen', 'frutos do mar']],
    ],
    ['a comma that splits a price', 'nome,preço\nBobó,21,00', [[2, null, 'cells', '3/2']]],
    [
      'a comma that splits a price before the category',
      'nome,preço,categoria\nBobó,21,00',
      [[2, 'preço', 'splitPrice', '21,00']],
    ],
    [
      'a comma that splits a price before the portions',
      'nome,preço,porções\nBobó,21,50,',
      [[2, 'preço', 'splitPrice', '21,50']],
    ],
    ['an unknown way of pricing', 'nome;tipo de preço\nBobó;dúzia', [[2, 'tipo de preço', 'pricing', 'dúzia']]],
    ['a quotation mark that never ends', 'nome;preço\nBobó;1\n"Caruru;2\nVatapá;3', [[3, null, 'quotes', '']]],
    ['a quotation mark inside a cell', 'nome;preço\n"Bobó" da casa;1\nArroz;2\n"Caruru";3', [[2, null, 'quotes', '']]],
  ])('names the line and the column of %s', (_what, text, faults) => {
    expect(importOf(text, { dishes: dish() }).faults).toEqual(faults);
  });

  test.each([
    ['no column with names', 'preço;categoria\n1;2', { kind: 'noName', found: ['preço', 'categoria'] }],
    ['two columns with the same field', 'nome;preço;valor\nBobó;1;2', { kind: 'twice', columns: ['preço', 'valor'] }],
  ])('reads nothing from a file with %s', (_what, text, fault) => {
    expect(readMenuFile(text, 'pt-BR')).toEqual(fault);
  });
});

describe('an exported menu', () => {
  test.each([
    ['English', { columns: en.columns, pricings: en.pricings, hasDecimalComma: false }],
    ['Portuguese', { columns: ptBr.columns, pricings: ptBr.pricings, hasDecimalComma: true }],
  ])('in %s changes nothing when it is imported again', (_what, words) => {
    const dishes = live([
      ...menu,
      newDish({
        id: 91,
        name: '=SUM(A1)',
        description: '=1, two;\n"three"',
        portions_left: 0,
        available: false,
        pricing: 'per_kg',
      }),
    ]);
    const text = exportMenu({ dishes, others: ['en'] }, { ...words, allergens: byName });
    expect(text).toContain("'=SUM(A1)");
    expect(text).toContain("'=1, two;");
    // An import in the evening must not undo what was sold out in the meantime.
    expect(text).not.toMatch(/portions|porções|available|disponível/i);
    expect(importOf(text, { dishes })).toMatchObject({ bodies: [], unchanged: dishes.length, faults: [], unknown: [] });
  });
});

test.each([
  ['14', '14.00'],
  ['14,5', '14.50'],
  ['R$ 14,00', '14.00'],
  ['1.250,00', '1250.00'],
  ['1,250.00', '1250.00'],
  ['0', '0.00'],
  ['1.250', null],
  ['14,000', null],
  ['-3', null],
  ['free', null],
])('a price of %s is read as %s', (text, price) => {
  expect(readPrice(text)).toBe(price);
});

test.each([
  ['nozes e castanhas', ['nuts']],
  ['Contém: leite, ovos e glúten.', ['milk', 'eggs', 'gluten']],
  ['Milk/Eggs', ['milk', 'eggs']],
  ['não contém', []],
])('allergens of “%s” are %j', (text, value) => {
  expect(readCell('allergens', text)).toEqual({ value });
});

test('rows have the numbers of their lines, even after cells of several lines', () => {
  expect(readCsv('a;b\r\n"1\r\n2";3\r\n\r\n4;5').rows.map(({ line }) => line)).toEqual([1, 2, 5]);
});

test('a digest is the one in the example of the API', () => {
  const [example] = (importMenu.body?.describe()['examples'] ?? []) as { dishes: object[]; sha256: string }[];
  expect(canonicalDigest(example?.dishes)).toBe(example?.sha256);
});
