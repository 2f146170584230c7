import { menuImport } from '@comanda/contracts/rules';
import { plural } from '@comanda/ui/format.ts';

const dishes = (count: number): string => plural(count, { one: '1 dish', other: `${count} dishes` });

/** How many rows add a dish, change one, change nothing, or are wrong. */
type Counts = Readonly<Record<'added' | 'changed' | 'unchanged' | 'wrong', number>>;

export const en = {
  title: 'Menu as a file',
  hint: 'Import many dishes at once from a spreadsheet. Or download the menu, change it there and import it again. Options, portions and sold-out dishes aren’t in the file, and stay as they are.',
  back: 'All dishes',
  download: 'Download the menu',
  file: 'menu',
  choose: 'Choose a CSV file',
  drop: 'You can also drop it here.',
  rows: 'Rows of the file',
  rowsHint:
    'Choose a file, or paste its rows here. The first row names the columns, for example: name, price, category, allergens, name in Portuguese. Columns that the file lacks change nothing.',
  unreadable: {
    spreadsheet: 'This is a spreadsheet, not a CSV file. In Excel or Google Sheets, save it as CSV first.',
    tooLarge: `This file is larger than ${menuImport.maxKilobytes} KB. Split it into several files.`,
    failed: 'The browser can’t read this file. Choose it again, or paste its rows.',
  },
  noName: (found: string) =>
    `No column has the dishes’ names. Call it “name”. The first row has these columns: ${found}.`,
  noHeader: 'The first row must name the columns: name, price, category.',
  columnTwice: (one: string, other: string) =>
    `The columns ${one} and ${other} contain the same field. Remove one of them.`,
  unknown: (columns: string) => `Columns that are left out: ${columns}.`,
  noRows: 'There are no dishes below the first row.',
  preview: 'Preview',
  summary: ({ added, changed, unchanged, wrong }: Counts) =>
    [
      added > 0 && `${added} new`,
      changed > 0 && `${changed} changed`,
      unchanged > 0 && `${unchanged} unchanged`,
      wrong > 0 && `${wrong} wrong`,
    ]
      .filter(Boolean)
      .join(', '),
  wrong: (lines: number) => plural(lines, { one: '1 mistake in the file', other: `${lines} mistakes in the file` }),
  wrongToDo:
    'Nothing is imported until they’re fixed. Correct the rows above, or correct the file and choose it again.',
  at: (line: number, column: string | null) => (column === null ? `Line ${line}` : `Line ${line}, ${column}`),
  faults: {
    price: (text: string) => `“${text}” isn’t a price. Write it as 14.00 or 14,00.`,
    splitPrice: (text: string) =>
      `The comma splits the price ${text}. Write it as “${text}” in quotation marks, or with a dot.`,
    pricing: (text: string) => `“${text}” must be fixed, open or per kg.`,
    allergen: (text: string) => `“${text}” isn’t one of the 14 allergens.`,
    allergenList: (names: string) => `The 14 allergens: ${names}.`,
    count: (text: string) => `“${text}” isn’t a whole number.`,
    yesOrNo: (text: string) => `“${text}” must be yes or no.`,
    picture: (text: string) => `“${text}” isn’t the address of a picture. It starts with https://`,
    tooLong: () => 'This text is too long. Shorten it.',
    rejected: () => 'The server doesn’t accept this. Check its length, and remove unusual characters.',
    noName: () => 'The dish has no name.',
    newNeedsPrice: () => 'This dish is new, so it needs a price.',
    noCategory: () => 'Its category is translated, but the dish has none. Enter a category too.',
    twice: (line: string) => `This dish is already in line ${line}. Remove one of them.`,
    cells: () =>
      'The line has more cells than there are columns. Put texts and prices with a comma in quotation marks.',
    quotes: () => 'The quotation marks from here on don’t match. Inside a cell, write each of them twice.',
  },
  tooMany: (count: number) =>
    `One import takes at most ${menuImport.maxDishes} dishes, and this is ${count}. Split the file.`,
  tooLarge: `One import takes at most ${menuImport.maxKilobytes} KB. Split the file.`,
  dish: 'Dish',
  change: 'Change',
  isNew: 'New',
  empty: 'empty',
  noLimit: 'no limit',
  pricings: { fixed: 'fixed', open: 'open', per_kg: 'per kg' },
  yes: 'yes',
  no: 'no',
  showAll: (count: number) => `Show all ${count}`,
  submit: (count: number) => `Import ${dishes(count)}`,
  nothing: 'The menu already is as in this file.',
  importing: 'Importing…',
  youImport: (added: number, changed: number) =>
    [
      added > 0 && `You’re adding ${dishes(added)}`,
      changed > 0 && `${added > 0 ? 'and changing' : 'You’re changing'} ${dishes(changed)}`,
    ]
      .filter(Boolean)
      .join(' '),
  done: (added: number, changed: number) =>
    `Imported: ${[added > 0 && `${added} new`, changed > 0 && `${changed} changed`].filter(Boolean).join(', ') || 'no changes'}.`,
  columns: {
    name: 'name',
    description: 'description',
    price: 'price',
    pricing: 'pricing',
    category: 'category',
    station: 'station',
    allergens: 'allergens',
    portions_left: 'portions left',
    available: 'available',
    position: 'position',
    image_url: 'picture address',
    name_en: 'name in English',
    description_en: 'description in English',
    category_en: 'category in English',
    'name_pt-BR': 'name in Portuguese',
    'description_pt-BR': 'description in Portuguese',
    'category_pt-BR': 'category in Portuguese',
  },
};
