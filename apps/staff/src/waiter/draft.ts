import { toAskedOption } from '@comanda/contracts/asked-options';
import { toItemOption } from '@comanda/contracts/chosen-options';
import type { ItemOption } from '@comanda/contracts/item-options';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import type { OptionGroup } from '@comanda/contracts/option-groups';
import { chooseOptions, unitPriceOf } from '@comanda/contracts/options';
import { areGroupsKnown } from '@comanda/contracts/options-on-offer';
import { maxQuantity } from '@comanda/contracts/rules';
import { priceOfMeasure } from '@comanda/contracts/weight';
import { computed, type ReadonlySignal } from '@preact/signals';
import type { LiveItem } from '@comanda/client/core';
import type { Offer } from '@comanda/ui/options/choice.ts';
import { emptyDraft, onDeviceLater } from '../on-device-later.ts';

export type DraftLine = {
  /** Identifies the line in its draft. */
  id: number;
  dishId: number;
  name: string;
  /** The price of one unit with its options. */
  price: string;
  currency: string;
  quantity: number;
  remarks: string;
  /** The chosen options. */
  options: readonly ItemOption[];
  /** The weight in kg of a dish that is sold by weight; null for others. */
  measure: string | null;
  /** The price, without options, that the waiter has entered for a dish with an open price; null for others. */
  unitPrice: string | null;
};
export type NewLine = Omit<DraftLine, 'id'>;
/** A line as it is stored. An earlier release stored no id, options, weight and price. */
type StoredLine = Omit<DraftLine, 'id' | 'options' | 'measure' | 'unitPrice'> & Partial<DraftLine>;
/** The dishes and allergies that a waiter has entered for a table and not sent yet. */
export type Draft = {
  table: string | null;
  lines: readonly DraftLine[];
  allergies: string;
  /** When the first dish was selected, in milliseconds; absent if an earlier release stored the draft. */
  begunAtMs?: number;
  /** The table's seating when the first dish was selected; null if the table was free or unknown. */
  seating?: number | null;
};

/** How long a draft is kept, in milliseconds. An older one belongs to guests who have left. */
const keptForMs = 4 * 3_600_000;
export const isOld = ({ begunAtMs }: Draft): boolean =>
  begunAtMs !== undefined && Math.abs(Date.now() - begunAtMs) >= keptForMs;

/** Returns stored lines with all fields. */
export const linesOf = (stored: readonly StoredLine[]): readonly DraftLine[] =>
  stored.map((line, index) => ({ id: index + 1, options: [], measure: null, unitPrice: null, ...line }));

/** Opens this user's draft, which survives a reload. Its lines have the names and prices of the menu as it is now. */
export function createDraft(userId: number, offer: ReadonlySignal<Offer>) {
  const { signal: stored, write: set } = onDeviceLater.draft(userId);
  if (isOld(stored.peek())) set(emptyDraft);
  const draft = computed<Draft>(() => ({
    ...stored.value,
    lines: linesOf(stored.value.lines).map((line) => onMenuNow(line, offer.value)),
  }));
  const change = (part: Partial<Draft>): void => set({ ...draft.peek(), ...part });
  const changeLine = (id: number, part: Partial<DraftLine>): void =>
    change({
      lines: draft
        .peek()
        .lines.map((line) => (line.id === id ? { ...line, ...part } : line))
        .filter(({ quantity }) => quantity > 0),
    });
  return {
    draft,
    clear: (): void => set(emptyDraft),
    put: (next: Draft): void => set({ ...next, begunAtMs: Date.now() }),
    /** Sets the table for the draft, and who sits there, if that is known. An old draft is discarded first. */
    setTable: (table: string | null, seating?: number | null): void =>
      set({
        ...(isOld(draft.peek()) ? emptyDraft : draft.peek()),
        table,
        ...(seating !== undefined && { seating }),
      }),
    setAllergies: (allergies: string): void => change({ allergies }),
    changeLine,
    /** Sets a line's quantity; 0 removes the line. */
    setQuantity: (id: number, quantity: number): void => changeLine(id, { quantity }),
    /** Adds a line, or its quantity to a line for the same. */
    add: (added: NewLine): void => {
      const { lines, begunAtMs = Date.now() } = draft.peek();
      const same = lines.find((line) => isSame(line, added));
      if (same) return changeLine(same.id, { quantity: Math.min(maxQuantity, same.quantity + added.quantity) });
      change({
        lines: [...lines, { id: Math.max(0, ...lines.map(({ id }) => id)) + 1, ...added }],
        begunAtMs: lines.length === 0 ? Date.now() : begunAtMs,
      });
    },
  };
}

/**
 * Returns the line as the menu has it now: what is sent is billed at today's price. A line whose dish is gone, or whose options
 * must be chosen again, keeps what the waiter saw.
 */
function onMenuNow(line: DraftLine, { dishes, groups }: Offer): DraftLine {
  const dish = dishes.get(line.dishId);
  const groupIds = dish?.option_group_ids ?? [];
  if (!dish || !areGroupsKnown(groupIds, groups)) return line;
  const choice = chooseOptions({ groupIds, asked: line.options.map(toAskedOption) }, groups);
  if (choice.defects.length > 0) return line;
  const { name, pricing = 'fixed' } = dish;
  const measure = pricing === 'per_kg' ? line.measure : null;
  const unitPrice = pricing === 'open' ? line.unitPrice : null;
  const ownPrice = toMinor(unitPrice ?? dish.price);
  return {
    ...line,
    name,
    measure,
    unitPrice,
    quantity: pricing === 'per_kg' ? 1 : line.quantity,
    price: fromMinor(unitPriceOf(measure === null ? ownPrice : priceOfMeasure(ownPrice, measure), choice)),
    options: choice.options.map(toItemOption),
  };
}

/** Returns true if both lines are for the same. Weighed portions are never: each has a line of its own. */
function isSame(line: DraftLine, other: NewLine): boolean {
  const { id: _id, quantity: _quantity, ...rest } = line;
  const { quantity: _other, ...otherRest } = other;
  const sorted = (value: object): string =>
    JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : Number(a > b))));
  return other.measure === null && sorted(rest) === sorted(otherRest);
}

/** Returns a line for one portion of the dish as it comes, with the defaults of its groups. */
export function plainLine(
  { id: dishId, name, price, currency, option_group_ids: groupIds = [] }: LiveItem,
  groups: ReadonlyMap<number, OptionGroup>,
): NewLine {
  const choice = chooseOptions({ groupIds, asked: [] }, groups);
  return {
    dishId,
    name,
    currency,
    quantity: 1,
    remarks: '',
    price: fromMinor(unitPriceOf(toMinor(price), choice)),
    options: choice.options.map(toItemOption),
    measure: null,
    unitPrice: null,
  };
}

export const countOf = (lines: readonly DraftLine[]): number => lines.reduce((sum, { quantity }) => sum + quantity, 0);
export const totalOf = (lines: readonly DraftLine[]): string =>
  fromMinor(lines.reduce((sum, { price, quantity }) => sum + toMinor(price) * BigInt(quantity), 0n));
