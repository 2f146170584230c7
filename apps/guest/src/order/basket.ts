import type { Input, LiveItem } from '@comanda/client/core';
import { toAskedOption } from '@comanda/contracts/asked-options';
import type { ItemOption } from '@comanda/contracts/item-options';
import type { OptionDefect } from '@comanda/contracts/options';
import { maxQuantity } from '@comanda/contracts/rules';
import { allergensNamedIn } from '@comanda/ui/allergens-in-text.ts';
import { allergenNames } from '@comanda/ui/allergens.ts';
import { computed, effect, signal, type ReadonlySignal } from '@preact/signals';
import { formatList } from '@comanda/ui/format.ts';
import type { OptionTrouble } from '@comanda/ui/options/defect-words.ts';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import { named, type InGuestLanguage } from '../in-guest-language.ts';
import { areStated, isForGuests, type Menu } from '../menu/menu.ts';
import type { Clash, Options } from '../menu/options.ts';
import { onDevice } from '../on-device.ts';
import type { Seat } from '../seat/seat.ts';
import type { Orders } from './orders.ts';

/** One line of the basket: a dish, its quantity and remarks, with the name and price that the guest saw. */
export type Line = {
  /** The line's id, unique in this basket. */ id: number;
  dishId: number;
  name: string;
  quantity: number;
  remarks: string;
  /** The price of one dish with its options. */ seenPrice: string;
  /** The chosen options, with the names that the guest saw. Absent in the lines of earlier releases. */
  options?: readonly ItemOption[];
  /** What the server said is wrong with the options, until the guest changes them. */
  refused?: readonly OptionDefect[];
};
export type BasketContent = {
  lines: readonly Line[];
  /** The allergies as the guest wrote them; null until then. */
  allergies: string | null;
};
/** Why a line can't be ordered. A line whose price has changed can be. */
export type LineTrouble =
  | { kind: 'gone' }
  | { kind: 'sold_out' }
  | { kind: 'too_many'; left: number }
  | ({ kind: 'options' } & OptionTrouble);

export const maxRemarks = 140;
export const maxAllergies = 200;
/** The maximum number of lines in one order. */
const maxLines = 50;
const empty: BasketContent = { lines: [], allergies: null };
/** How long a basket outlives its seating, in milliseconds. The table may have been closed while the guest was still choosing. */
const otherSeatingForMs = 2 * 3600 * 1000;

type Deps = {
  menu: Menu;
  seat: Seat;
  /** Null until that part of the app is loaded. */ orders: ReadonlySignal<Orders | null>;
  /** Null until that part of the app is loaded. */ options: ReadonlySignal<Options | null>;
};
export type Basket = ReturnType<typeof openBasket>;

/** The selected dishes and allergies that were not sent yet. They are stored on this device. */
export function openBasket({ menu, seat, orders, options }: Deps) {
  /** Identifies the seating that the basket is for, or the table and customer if there is no seating. */
  const owner = computed<string | null>(() => {
    const { table, isSeated, who } = seat;
    if (table.value === null) return null;
    return `${table.value}/${isSeated.value ? `seating ${who.value?.seating}` : `user ${who.value?.userId}`}`;
  });
  const { content, close } = keepOnDevice(owner);
  /** Returns the lines with their dishes' current names, because a dish may be renamed and the guest may change the language. */
  const namedLines = (some: readonly Line[]): readonly InGuestLanguage<Line>[] =>
    some.map((line) => {
      const { name = line.name, lang } = menu.dishById.value.get(line.dishId) ?? {};
      return { ...line, name, lang };
    });
  const lines = computed(() => namedLines(content.value.lines));

  const { countOf, sumOf, isOff, ...reading } = readMenu({ menu, options, lines });
  const { troubleOf, optionsOf } = reading;
  const change = (part: Partial<BasketContent>): void => {
    content.value = { ...content.value, ...part };
  };
  /** The id of the line to which a portion was added last; 0 if there is none. */
  let lastAdded = 0;
  const setQuantity = (line: Line, quantity: number): void =>
    change({
      lines: lines.value.flatMap((each) =>
        each.id !== line.id ? [each] : quantity > 0 ? [{ ...line, quantity }] : [],
      ),
    });
  return {
    lines,
    /** Returns these lines with their dishes' current names. */
    named: namedLines,
    ...openAllergies({ content, menu, orders, options, optionsOf }),
    count: computed(() => lines.value.reduce((sum, { quantity }) => sum + quantity, 0)),
    countOf,
    ...reading,
    sumOf,
    /** The price of all lines, except those whose dish is sold out or no longer on the menu. */
    sum: computed(() => sumOf(lines.value.filter((line) => !isOff(line)))),
    /** Why the order can't be sent: `options` if a line's options must be changed, `dishes` if a line must be removed. */
    trouble: computed<'dishes' | 'options' | null>(() => {
      const kinds = lines.value.flatMap((line) => troubleOf(line)?.kind ?? []);
      return kinds.length === 0 ? null : kinds.every((kind) => kind === 'options') ? 'options' : 'dishes';
    }),
    /** Returns true if this many more portions can be added. */
    canAdd: (dish: LiveItem, quantity: number): boolean =>
      !menu.isOut(dish) &&
      lines.value.length < maxLines &&
      countOf(dish.id) + quantity <= Math.min(dish.portions_left ?? maxQuantity, maxQuantity),
    add: (dish: LiveItem, chosen: ChosenDish) => {
      const next = withDish(lines.value, dish, chosen);
      lastAdded = next.find((line) => !lines.value.includes(line))?.id ?? 0;
      change({ lines: next });
    },
    /** Removes one portion of the dish: of the line to which one was added last, else of the dish's last line. */
    takeOne: ({ id: dishId }: LiveItem) => {
      const own = lines.value.filter((line) => line.dishId === dishId);
      const line = own.find(({ id }) => id === lastAdded) ?? own.at(-1);
      if (line) setQuantity(line, line.quantity - 1);
    },
    /** Replaces the line's choice. If another line has the same one, they become one line. */
    replace: (line: Line, dish: LiveItem, chosen: ChosenDish) => {
      const at = lines.value.findIndex(({ id }) => id === line.id);
      const others = lines.value.filter(({ id }) => id !== line.id);
      const next = withDish(others, dish, chosen);
      const added = next[others.length];
      change({
        lines: added && at >= 0 ? [...others.slice(0, at), { ...added, id: line.id }, ...others.slice(at)] : next,
      });
    },
    setQuantity,
    setRemarks: (line: Line, remarks: string) =>
      change({ lines: lines.value.map((each) => (each.id === line.id ? { ...line, remarks } : each)) }),
    takeOutTroubled: () =>
      change({
        lines: lines.value.flatMap((line) => {
          const trouble = troubleOf(line);
          if (trouble?.kind === 'options') return [line];
          if (trouble?.kind === 'too_many') return [{ ...line, quantity: Math.min(line.quantity, trouble.left) }];
          return trouble ? [] : [line];
        }),
      }),
    // The API accepts no control characters here, so line breaks become spaces.
    setAllergies: (written: string) => change({ allergies: written.replaceAll(/\s/g, ' ') }),
    clear: () => change(empty),
    /** Returns the content of an unsent order to the basket, before lines that were added in the meantime. */
    putBack: (sent: BasketContent) =>
      change({
        lines: [...sent.lines, ...lines.value].map((line, index) => ({ ...line, id: index + 1 })),
        allergies: allergiesOfBoth(content.value.allergies, sent.allergies),
      }),
    close,
  };
}

/** The basket's content, stored on this device and shared by all tabs. */
function keepOnDevice(owner: ReadonlySignal<string | null>) {
  const before = onDevice.basket.get();
  const isUsable = before && (before.of === owner.peek() || Date.now() - before.savedAt < otherSeatingForMs);
  const content = signal<BasketContent>(isUsable ? { lines: before.lines, allergies: before.allergies } : empty);
  let lastOwner = before?.of ?? '';
  let isStored: BasketContent | null = null;
  const stopFollowing = onDevice.basket.onOtherTab((theirs) => {
    isStored = theirs ? { lines: theirs.lines, allergies: theirs.allergies } : { ...empty };
    content.value = isStored;
  });
  const stopStoring = effect(() => {
    // This content came from another tab. Writing it again would make both tabs write endlessly.
    if (content.value === isStored) return;
    const { allergies, lines: chosen } = content.value;
    // After the session has ended, the basket still belongs to its last owner.
    lastOwner = owner.value ?? lastOwner;
    const isEmpty = chosen.length === 0 && !allergies;
    onDevice.basket.write(isEmpty ? null : { lines: chosen, allergies, of: lastOwner, savedAt: Date.now() });
  });
  return {
    content,
    close: (): void => {
      stopStoring();
      stopFollowing();
    },
  };
}

type Reading = Pick<Deps, 'menu' | 'options'> & { lines: ReadonlySignal<readonly Line[]> };
/** Returns functions for the lines' prices and problems, according to the current menu. */
function readMenu({ menu, options, lines }: Reading) {
  const countOf = (dishId: number): number =>
    lines.value.reduce((sum, line) => sum + (line.dishId === dishId ? line.quantity : 0), 0);
  const dishOf = ({ dishId }: Line): LiveItem | undefined => menu.dishById.value.get(dishId);
  /** Returns what the options mean by the current menu; null for a dish that has none, or if the groups aren't known. */
  function readOptions(line: Line) {
    const dish = dishOf(line);
    const hasAny = [...(line.options ?? []), ...(dish?.option_group_ids ?? [])].length > 0;
    return dish && hasAny ? { dish, ...(options.value?.readLine(line, dish) ?? { ...line, trouble: null }) } : null;
  }
  const priceOf = (line: Line): string => readOptions(line)?.seenPrice ?? dishOf(line)?.price ?? line.seenPrice;
  const costOf = (line: Line): bigint => toMinor(priceOf(line)) * BigInt(line.quantity);
  const sumOf = (some: readonly Line[]): string => fromMinor(some.reduce((sum, line) => sum + costOf(line), 0n));
  function troubleOf(line: Line): LineTrouble | null {
    if (!menu.dishes.value) return null;
    const dish = dishOf(line);
    if (!dish || !isForGuests(dish)) return { kind: 'gone' };
    if (menu.isOut(dish)) return { kind: 'sold_out' };
    const left = dish.portions_left;
    if (left !== null && countOf(line.dishId) > left) return { kind: 'too_many', left };
    const trouble = readOptions(line)?.trouble ?? (line.refused ? { defects: line.refused, soldOut: [] } : null);
    return trouble && { kind: 'options', ...trouble };
  }
  const isOff = (line: Line): boolean => {
    const trouble = troubleOf(line)?.kind;
    return trouble === 'gone' || trouble === 'sold_out';
  };
  /** Returns the line's options in the guest's language. */
  const optionsOf = (line: Line): readonly InGuestLanguage<ItemOption>[] =>
    (readOptions(line)?.options ?? line.options ?? []).map((option) => named(option, menu.menuLanguage.value));
  return { countOf, priceOf, sumOf, troubleOf, isOff, optionsOf };
}

/** What the guest has chosen of a dish. Without options, the price is the dish's own. */
export type ChosenDish = Pick<Line, 'quantity' | 'remarks' | 'options'> & Partial<Pick<Line, 'seenPrice'>>;
/** Adds the dish to the line that has the same remarks and options, or as a new line. */
function withDish(lines: readonly Line[], dish: LiveItem, chosen: ChosenDish): readonly Line[] {
  const keyOf = ({ remarks, options = [] }: Pick<Line, 'remarks' | 'options'>): string =>
    JSON.stringify([remarks, options.map(toAskedOption)]);
  const same = lines.find((line) => line.dishId === dish.id && keyOf(line) === keyOf(chosen));
  if (same) return lines.map((line) => (line === same ? { ...line, quantity: line.quantity + chosen.quantity } : line));
  const id = Math.max(0, ...lines.map((line) => line.id)) + 1;
  return [...lines, { id, dishId: dish.id, name: dish.name, seenPrice: dish.price, ...chosen }];
}

/** Merges what the guest wrote in the meantime with the unsent order's allergies. Naming an allergy twice does no harm. */
function allergiesOfBoth(written: string | null, sent: string | null): string | null {
  const more = written && sent && !written.toLowerCase().includes(sent.toLowerCase()) ? sent : '';
  return more ? formatList([written ?? '', more]).slice(0, maxAllergies) : written || sent || null;
}

type AllergiesDeps = Omit<Deps, 'seat'> & {
  content: { value: BasketContent };
  optionsOf: (line: Line) => readonly ItemOption[];
};
/** The allergies for the order, and the dishes in the basket that conflict with them. */
function openAllergies({ content, menu, orders, options, optionsOf }: AllergiesDeps) {
  /**
   * The default allergies until the guest writes others: those in this guest's last order, and those selected in the menu's
   * filter.
   */
  const usual = computed(() => {
    const last = orders.value?.all.value.find(orders.value.isOwn)?.allergies ?? '';
    const covered = allergensNamedIn(last);
    const more = menu.avoided.value.filter((each) => !covered.includes(each)).map((each) => allergenNames()[each]);
    return formatList([last, ...more].filter(Boolean)).slice(0, maxAllergies);
  });
  const allergies = computed(() => content.value.allergies ?? usual.value);
  /** The allergens that this guest can't eat: those selected in the menu's filter, and those named in the text. */
  const uneatable = computed(() => new Set([...menu.avoided.value, ...allergensNamedIn(allergies.value)]));
  /** Returns what of the dish and its options contains something that the guest can't eat. */
  const clashesOf = (dish: LiveItem | undefined, chosen: readonly ItemOption[] = []): readonly Clash[] => {
    const allergens = (dish?.allergens ?? []).filter((each) => uneatable.value.has(each));
    const own = dish && allergens.length > 0 ? [{ name: dish.name, allergens }] : [];
    return [...own, ...(options.value?.clashesOf(chosen, uneatable.value) ?? [])];
  };
  /** The clashes of all lines in the basket, each once. */
  const clashing = computed(() => {
    const all = content.value.lines.flatMap((line) => clashesOf(menu.dishById.value.get(line.dishId), optionsOf(line)));
    return [...new Map(all.map((clash) => [clash.name, clash])).values()];
  });
  return {
    allergies,
    uneatable,
    clashesOf,
    clashing,
    /** Returns true if only staff know whether the dish contains something that the guest can't eat. */
    isUnstated: (dish: LiveItem): boolean =>
      uneatable.value.size > 0 && menu.verdictOf(dish, uneatable.value) === 'ask',
    /** The same for the dish with these options. */
    isUnstatedWith: (dish: LiveItem, chosen: readonly ItemOption[]): boolean =>
      uneatable.value.size > 0 && (!areStated(dish) || options.value?.areAnyUnstated(chosen) === true),
  };
}

type OrderDeps = { lines: readonly Line[]; allergies: string; seat: Seat };
/** Converts the basket to the input for `POST /orders`. */
export function toOrder({ lines, allergies, seat: { isSeated, table } }: OrderDeps): Input<'placeOrder'> {
  return {
    items: lines.map(({ dishId, quantity, remarks, options = [] }) => ({
      item_id: dishId,
      quantity,
      ...(remarks.trim() !== '' && { remarks: remarks.trim() }),
      ...(options.length > 0 && { options: options.map(toAskedOption) }),
    })),
    ...(allergies.trim() !== '' && { allergies: allergies.trim() }),
    // A seated guest's token contains the table, so only other customers send it.
    ...(!isSeated.value && table.value !== null && { table: table.value }),
  };
}
