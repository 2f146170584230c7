/** Sizes of cards in pixels. The board hands them to the CSS, and the layout computes with them: they cannot differ. */
export type Sizes = {
  head: number;
  row: number;
  bump: number;
  gutter: number;
  quantity: number;
  /** Sizes of letters, and the lines that they stand on. */
  dish: number;
  'dish-line': number;
  remark: number;
  'remark-line': number;
  allergen: number;
  'allergen-line': number;
  table: number;
  age: number;
  state: number;
  guest: number;
};
export const tabletSizes: Sizes = {
  head: 64,
  row: 56,
  bump: 72,
  gutter: 26,
  quantity: 42,
  dish: 24,
  'dish-line': 28,
  remark: 20,
  'remark-line': 24,
  allergen: 26,
  'allergen-line': 30,
  table: 40,
  age: 28,
  state: 20,
  guest: 16,
};
export const wallSizes: Sizes = {
  head: 76,
  row: 60,
  bump: 72,
  gutter: 32,
  quantity: 52,
  dish: 28,
  'dish-line': 33,
  remark: 23,
  'remark-line': 28,
  allergen: 29,
  'allergen-line': 34,
  table: 52,
  age: 36,
  state: 24,
  guest: 18,
};

/** As custom properties: `--ticket-head: 64px`. */
export const cssOf = (sizes: Sizes): Record<string, string> =>
  Object.fromEntries(Object.entries(sizes).map(([name, value]) => [`--ticket-${name}`, `${value}px`]));
