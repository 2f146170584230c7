import type { Input, LiveItem } from '@comanda/client/core';
import { maxQuantity } from '@comanda/contracts/rules';
import { allergensNamedIn } from '@comanda/ui/allergens-in-text.ts';
import { allergenNames } from '@comanda/ui/allergens.ts';
import { isSoldOut } from '@comanda/ui/availability.ts';
import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import { formatList } from '@comanda/ui/format.ts';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { followStored, hasKeys, stored } from '@comanda/ui/stored-setting.ts';
import type { InGuestLanguage } from '../in-guest-language.ts';
import type { Menu } from '../menu/menu.ts';
import type { Seat } from '../seat/seat.ts';
import type { Orders } from './orders.ts';

/** One line of the basket: a dish with its remark, in the version that the guest saw. */
export type Line = {
  /** Unique in the basket. */ id: number;
  dishId: number;
  name: string;
  quantity: number;
  remarks: string;
  seenPrice: string;
};
export type BasketContent = {
  lines: readonly Line[];
  /** Null until the guest writes them. */
  allergies: string | null;
};
type StoredBasket = BasketContent & { of: string; savedAt: number };
/** Why a line cannot be ordered. A changed price is no reason. */
export type LineTrouble = { kind: 'gone' } | { kind: 'sold_out' } | { kind: 'too_many'; left: number };

export const maxRemarks = 140;
export const maxAllergies = 200;
/** So many lines fit into one order. */
const maxLines = 50;
const empty: BasketContent = { lines: [], allergies: null };
/** A basket of another seating stays for so long: the table may have been closed while somebody was choosing. */
const otherSeatingForMs = 2 * 3600 * 1000;
const storedBasket = stored<StoredBasket | null>(
  'basket',
  hasKeys<StoredBasket>('lines', 'allergies', 'of', 'savedAt'),
  null,
);

type Deps = { menu: Menu; seat: Seat; orders: Orders };
export type Basket = ReturnType<typeof openBasket>;

/** What is chosen and not sent. It stays on this device. */
export function openBasket({ menu, seat, orders }: Deps) {
  /** Whose basket it is: a guest's at a seating, or a customer's at a table. */
  const owner = computed<string | null>(() => {
    const { table, isSeated, who } = seat;
    if (table.value === null) return null;
    return `${table.value}/${isSeated.value ? `seating ${who.value?.seating}` : `user ${who.value?.userId}`}`;
  });
  const { content, close } = keepOnDevice(owner);
  /** What a dish is called may change, and the language of the guest too. */
  const named = (some: readonly Line[]): readonly InGuestLanguage<Line>[] =>
    some.map((line) => {
      const { name = line.name, lang } = menu.dishById.value.get(line.dishId) ?? {};
      return { ...line, name, lang };
    });
  const lines = computed(() => named(content.value.lines));

  const { countOf, priceOf, sumOf, troubleOf, isOff } = readMenu(menu, lines);
  const change = (part: Partial<BasketContent>): void => {
    content.value = { ...content.value, ...part };
  };
  return {
    lines,
    /** These lines with the names that their dishes have now. */
    named,
    ...openAllergies({ content, menu, orders }),
    count: computed(() => lines.value.reduce((sum, { quantity }) => sum + quantity, 0)),
    countOf,
    priceOf,
    sumOf,
    /** What the kitchen may still make costs this much; what is sold out is paid by nobody. */
    sum: computed(() => sumOf(lines.value.filter((line) => !isOff(line)))),
    troubleOf,
    hasTrouble: computed(() => lines.value.some((line) => troubleOf(line) !== null)),
    /** Whether so many more can be ordered. */
    canAdd: (dish: LiveItem, quantity: number): boolean =>
      !isSoldOut(dish) &&
      lines.value.length < maxLines &&
      countOf(dish.id) + quantity <= Math.min(dish.portions_left ?? maxQuantity, maxQuantity),
    add: (dish: LiveItem, chosen: Chosen) => change({ lines: withDish(lines.value, dish, chosen) }),
    setQuantity: (line: Line, quantity: number) =>
      change({
        lines: lines.value.flatMap((each) =>
          each.id !== line.id ? [each] : quantity > 0 ? [{ ...line, quantity }] : [],
        ),
      }),
    setRemarks: (line: Line, remarks: string) =>
      change({ lines: lines.value.map((each) => (each.id === line.id ? { ...line, remarks } : each)) }),
    takeOutTroubled: () =>
      change({
        lines: lines.value.flatMap((line) => {
          const trouble = troubleOf(line);
          if (trouble?.kind === 'too_many') return [{ ...line, quantity: Math.min(line.quantity, trouble.left) }];
          return trouble ? [] : [line];
        }),
      }),
    // One line: the API takes no control characters here.
    setAllergies: (written: string) => change({ allergies: written.replaceAll(/\s/g, ' ') }),
    clear: () => change(empty),
    /** Puts back what was taken out to be sent, before what was chosen since. */
    putBack: (sent: BasketContent) =>
      change({
        lines: [...sent.lines, ...lines.value].map((line, index) => ({ ...line, id: index + 1 })),
        allergies: allergiesOfBoth(content.value.allergies, sent.allergies),
      }),
    close,
  };
}

/** The content that stays on this device, the same in all tabs. */
function keepOnDevice(owner: ReadonlySignal<string | null>) {
  const before = storedBasket.get();
  const isUsable = before && (before.of === owner.peek() || Date.now() - before.savedAt < otherSeatingForMs);
  const content = signal<BasketContent>(isUsable ? { lines: before.lines, allergies: before.allergies } : empty);
  let lastOwner = before?.of ?? '';
  let isStored: BasketContent | null = null;
  const stopFollowing = followStored(storedBasket, (theirs) => {
    isStored = theirs ? { lines: theirs.lines, allergies: theirs.allergies } : { ...empty };
    content.value = isStored;
  });
  const stopStoring = effect(() => {
    // Two tabs that write what they have read from each other would never end.
    if (content.value === isStored) return;
    const { allergies, lines: chosen } = content.value;
    // It stays when the session has ended.
    lastOwner = owner.value ?? lastOwner;
    const isEmpty = chosen.length === 0 && !allergies;
    storedBasket.write(isEmpty ? null : { lines: chosen, allergies, of: lastOwner, savedAt: Date.now() });
  });
  return {
    content,
    close: (): void => {
      stopStoring();
      stopFollowing();
    },
  };
}

/** What the lines of the basket cost, and what is wrong with them, by the menu of this moment. */
function readMenu(menu: Menu, lines: ReadonlySignal<readonly Line[]>) {
  const countOf = (dishId: number): number =>
    lines.value.reduce((sum, line) => sum + (line.dishId === dishId ? line.quantity : 0), 0);
  const priceOf = (line: Line): string => menu.dishById.value.get(line.dishId)?.price ?? line.seenPrice;
  const costOf = (line: Line): bigint => toMinor(priceOf(line)) * BigInt(line.quantity);
  const sumOf = (some: readonly Line[]): string => fromMinor(some.reduce((sum, line) => sum + costOf(line), 0n));
  function troubleOf({ dishId }: Line): LineTrouble | null {
    if (!menu.dishes.value) return null;
    const dish = menu.dishById.value.get(dishId);
    if (!dish) return { kind: 'gone' };
    if (isSoldOut(dish)) return { kind: 'sold_out' };
    const left = dish.portions_left;
    return left !== null && countOf(dishId) > left ? { kind: 'too_many', left } : null;
  }
  const isOff = (line: Line): boolean => {
    const trouble = troubleOf(line)?.kind;
    return trouble === 'gone' || trouble === 'sold_out';
  };
  return { countOf, priceOf, sumOf, troubleOf, isOff };
}

type Chosen = { quantity: number; remarks: string };
/** Adds to the line with the same remark, or a new one. */
function withDish(lines: readonly Line[], dish: LiveItem, { quantity, remarks }: Chosen): readonly Line[] {
  const same = lines.find((line) => line.dishId === dish.id && line.remarks === remarks);
  if (same) return lines.map((line) => (line === same ? { ...line, quantity: line.quantity + quantity } : line));
  const id = Math.max(0, ...lines.map((line) => line.id)) + 1;
  return [...lines, { id, dishId: dish.id, name: dish.name, quantity, remarks, seenPrice: dish.price }];
}

/** What was written since, and what was sent if that does not name it: one too many hurts nobody. */
function allergiesOfBoth(written: string | null, sent: string | null): string | null {
  const more = written && sent && !written.toLowerCase().includes(sent.toLowerCase()) ? sent : '';
  return more ? formatList([written ?? '', more]).slice(0, maxAllergies) : written || sent || null;
}

type AllergiesDeps = { content: { value: BasketContent }; menu: Menu; orders: Orders };
/** What the guest cannot eat, and which dishes of the basket contain it. */
function openAllergies({ content, menu, orders }: AllergiesDeps) {
  /** The allergies of an order until the guest writes them: those of this guest's last order, and what hides dishes. */
  const usual = computed(() => {
    const last = orders.all.value.find(orders.isOwn)?.allergies ?? '';
    const covered = allergensNamedIn(last);
    const more = menu.avoided.value.filter((each) => !covered.includes(each)).map((each) => allergenNames()[each]);
    return formatList([last, ...more].filter(Boolean)).slice(0, maxAllergies);
  });
  const allergies = computed(() => content.value.allergies ?? usual.value);
  /** Allergens that this guest cannot eat: chosen on the menu, or written. */
  const uneatable = computed(() => new Set([...menu.avoided.value, ...allergensNamedIn(allergies.value)]));
  /** What is in the dish that the guest can't eat. */
  const clashesOf = (dish: LiveItem | undefined): LiveItem['allergens'] =>
    (dish?.allergens ?? []).filter((each) => uneatable.value.has(each));
  /** Dishes of the basket that the guest cannot eat. */
  const clashing = computed(() => {
    const ids = new Set(content.value.lines.map(({ dishId }) => dishId));
    return (menu.dishes.value ?? []).filter((dish) => ids.has(dish.id) && clashesOf(dish).length > 0);
  });
  return { allergies, clashesOf, clashing };
}

type OrderDeps = { lines: readonly Line[]; allergies: string; seat: Seat };
/** The basket as `POST /orders` takes it. */
export function toOrder({ lines, allergies, seat: { isSeated, table } }: OrderDeps): Input<'placeOrder'> {
  return {
    items: lines.map(({ dishId, quantity, remarks }) => ({
      item_id: dishId,
      quantity,
      ...(remarks.trim() !== '' && { remarks: remarks.trim() }),
    })),
    ...(allergies.trim() !== '' && { allergies: allergies.trim() }),
    // A guest's table is in the token.
    ...(!isSeated.value && table.value !== null && { table: table.value }),
  };
}
