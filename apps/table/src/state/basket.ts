import type { Input, LiveItem } from '@comanda/client';
import { allergensNamedIn } from '@comanda/ui/allergens-in-text.ts';
import { allergenNames } from '@comanda/ui/allergens.ts';
import { computed, effect, signal } from '@preact/signals';
import { formatList } from '@comanda/ui/format.ts';
import { fromMinor, toMinor } from '@comanda/ui/money.ts';
import { readSetting, writeSetting } from '@comanda/ui/stored-setting.ts';
import { avoided, dishById, isSoldOut, menu } from './menu.ts';
import { isOwn, orders } from './orders.ts';
import { isGuest, table, who } from './seat.ts';

/** One line of the basket: a dish with its remark, in the version that the guest saw. */
export type Line = {
  /** Unique in the basket. */ id: number;
  dishId: number;
  name: string;
  quantity: number;
  remarks: string;
  seenPrice: string;
};
type Basket = {
  lines: readonly Line[];
  /** Null until the guest writes them. */
  allergies: string | null;
};
type StoredBasket = Basket & { of: string; savedAt: number };

export const maxQuantity = 99;
export const maxRemarks = 140;
export const maxAllergies = 200;
/** So many lines fit into one order. */
const maxLines = 50;
const empty: Basket = { lines: [], allergies: null };
/** A basket of another seating is kept for so long: the table may have been closed while somebody was choosing. */
const keptForMs = 2 * 3600 * 1000;

/** Whose basket it is: a guest's at a seating, or a customer's at a table. */
const owner = computed<string | null>(() => {
  if (table.value === null) return null;
  return `${table.value}/${isGuest.value ? `seating ${who.value?.seating}` : `user ${who.value?.userId}`}`;
});

function readBasket(): StoredBasket | null {
  try {
    const stored = JSON.parse(readSetting('basket') ?? 'null') as Partial<StoredBasket> | null;
    return Array.isArray(stored?.lines) && typeof stored.savedAt === 'number' ? (stored as StoredBasket) : null;
  } catch {
    return null;
  }
}
function initialBasket(): Basket {
  const stored = readBasket();
  if (!stored) return empty;
  return stored.of === owner.peek() || Date.now() - stored.savedAt < keptForMs
    ? { lines: stored.lines, allergies: stored.allergies }
    : empty;
}

export const basket = signal<Basket>(initialBasket());
let lastOwner = readBasket()?.of ?? '';
effect(() => {
  const { lines, allergies } = basket.value;
  // It stays when the session has ended.
  const of = owner.value ?? lastOwner;
  lastOwner = of;
  if (lines.length === 0 && !allergies) writeSetting('basket', null);
  else writeSetting('basket', JSON.stringify({ lines, allergies, of, savedAt: Date.now() }));
});

/** What an order says of allergies until the guest writes it: the same as this guest's last one, and what hides dishes. */
const usualAllergies = computed(() => {
  const last = orders.value.find(isOwn)?.allergies ?? '';
  const covered = allergensNamedIn(last);
  const more = avoided.value.filter((each) => !covered.includes(each)).map((each) => allergenNames()[each]);
  return formatList([last, ...more].filter(Boolean)).slice(0, maxAllergies);
});
export const allergies = computed(() => basket.value.allergies ?? usualAllergies.value);
/** Allergens that this guest cannot eat: chosen on the menu, or written. */
const uneatable = computed(() => new Set([...avoided.value, ...allergensNamedIn(allergies.value)]));
/** What is in the dish and the guest cannot eat. */
export const clashesOf = (dish: LiveItem | undefined): LiveItem['allergens'] =>
  (dish?.allergens ?? []).filter((each) => uneatable.value.has(each));
/** Dishes of the basket that the guest cannot eat. */
export const clashing = computed(() => {
  const ids = new Set(basket.value.lines.map(({ dishId }) => dishId));
  return (menu.value ?? []).filter((dish) => ids.has(dish.id) && clashesOf(dish).length > 0);
});

export const count = computed(() => basket.value.lines.reduce((sum, { quantity }) => sum + quantity, 0));
export const countOf = (dishId: number): number =>
  basket.value.lines.reduce((sum, line) => sum + (line.dishId === dishId ? line.quantity : 0), 0);
export const priceOf = (line: Line): string => dishById.value.get(line.dishId)?.price ?? line.seenPrice;
export const sumOf = (lines: readonly Line[]): string =>
  fromMinor(lines.reduce((sum, line) => sum + toMinor(priceOf(line)) * line.quantity, 0));
export const sum = computed(() => sumOf(basket.value.lines));
export const currency = computed(() => menu.value?.[0]?.currency ?? 'BRL');

/** What stands between a line and the kitchen; the price is only said. */
export type LineTrouble = { kind: 'gone' } | { kind: 'sold_out' } | { kind: 'too_many'; left: number };
export function troubleOf({ dishId }: Line): LineTrouble | null {
  if (!menu.value) return null;
  const dish = dishById.value.get(dishId);
  if (!dish) return { kind: 'gone' };
  if (isSoldOut(dish)) return { kind: 'sold_out' };
  const left = dish.portions_left;
  return left !== null && countOf(dishId) > left ? { kind: 'too_many', left } : null;
}
export const hasTrouble = computed(() => basket.value.lines.some((line) => troubleOf(line) !== null));

const setLines = (lines: readonly Line[]): void => {
  basket.value = { ...basket.value, lines };
};
export const setAllergies = (written: string): void => {
  // One line: the API takes no control characters here.
  basket.value = { ...basket.value, allergies: written.replaceAll(/\s/g, ' ') };
};

export type Chosen = { quantity: number; remarks: string };
/** Whether so many more can be ordered. */
export const canAdd = (dish: LiveItem, quantity: number): boolean =>
  !isSoldOut(dish) &&
  basket.value.lines.length < maxLines &&
  countOf(dish.id) + quantity <= Math.min(dish.portions_left ?? maxQuantity, maxQuantity);

const nextId = (lines: readonly Line[]): number => Math.max(0, ...lines.map(({ id }) => id)) + 1;

/** Adds to the line with the same remark, or a new one. */
export function add(dish: LiveItem, { quantity, remarks }: Chosen): void {
  const { lines } = basket.value;
  const same = lines.find((line) => line.dishId === dish.id && line.remarks === remarks);
  if (same) setLines(lines.map((line) => (line === same ? { ...line, quantity: line.quantity + quantity } : line)));
  else
    setLines([
      ...lines,
      { id: nextId(lines), dishId: dish.id, name: dish.name, quantity, remarks, seenPrice: dish.price },
    ]);
}
export const setQuantity = (line: Line, quantity: number): void =>
  setLines(
    basket.value.lines.flatMap((each) => (each.id !== line.id ? [each] : quantity > 0 ? [{ ...line, quantity }] : [])),
  );
export const setRemarks = (line: Line, remarks: string): void =>
  setLines(basket.value.lines.map((each) => (each.id === line.id ? { ...line, remarks } : each)));
export const takeOutTroubled = (): void =>
  setLines(
    basket.value.lines.flatMap((line) => {
      const trouble = troubleOf(line);
      if (trouble?.kind === 'too_many') return [{ ...line, quantity: Math.min(line.quantity, trouble.left) }];
      return trouble ? [] : [line];
    }),
  );
export const clearBasket = (): void => {
  basket.value = empty;
};
/** Puts back what was taken out to be sent, before what was chosen since. */
export const putBack = ({ lines, allergies: sent }: Basket): void => {
  const both = [...lines, ...basket.value.lines].map((line, index) => ({ ...line, id: index + 1 }));
  basket.value = { lines: both, allergies: sent || basket.value.allergies };
};

/** The basket as `POST /orders` takes it. */
export function toOrder(lines: readonly Line[]): Input<'placeOrder'> {
  return {
    items: lines.map(({ dishId, quantity, remarks }) => ({
      item_id: dishId,
      quantity,
      ...(remarks.trim() !== '' && { remarks: remarks.trim() }),
    })),
    ...(allergies.value.trim() !== '' && { allergies: allergies.value.trim() }),
    // A guest's table is in the token.
    ...(!isGuest.value && table.value !== null && { table: table.value }),
  };
}
