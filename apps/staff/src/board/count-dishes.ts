import { kitchenName, type Ticket } from '../bumps/ticket.ts';
import type { ItemOption } from '@comanda/contracts/item-options';
import { optionName, optionText } from './option-lines.ts';

export type DishCount = {
  name: string;
  toCook: number;
  cooking: number;
  /** The portions with each option, then those with each remark. */
  details: readonly DishDetail[];
};
export type DishDetail = { text: string; isRemark: boolean; toCook: number; cooking: number };
type Counts = { toCook: number; cooking: number };

/** Counts the portions of each dish that are waiting or being cooked. The dish with the most portions comes first. */
export function countDishes(tickets: readonly Ticket[]): DishCount[] {
  const dishes = new Map<string, Counts & { options: Map<string, Counts>; remarks: Map<string, Counts> }>();
  for (const item of tickets.flatMap(({ items }) => items)) {
    if (item.status !== 'received' && item.status !== 'preparing') continue;
    const key = item.status === 'received' ? 'toCook' : 'cooking';
    const name = kitchenName(item);
    const dish = dishes.get(name) ?? {
      ...none,
      options: new Map<string, Counts>(),
      remarks: new Map<string, Counts>(),
    };
    dishes.set(name, dish);
    dish[key] += item.quantity;
    const add = (to: Map<string, Counts>, text: string, quantity: number): void => {
      const counts = to.get(text) ?? { ...none };
      to.set(text, counts);
      counts[key] += quantity;
    };
    for (const { text, each } of countedOptions(item.options ?? [])) add(dish.options, text, each * item.quantity);
    const remark = item.remarks.trim();
    if (remark !== '') add(dish.remarks, remark, item.quantity);
  }
  return [...dishes]
    .map(([name, { options, remarks, ...counts }]) => ({
      name,
      ...counts,
      details: [...detailsOf(options, false), ...detailsOf(remarks, true)],
    }))
    .sort(byTotal);
}

const none: Counts = { toCook: 0, cooking: 0 };
const detailsOf = (counted: ReadonlyMap<string, Counts>, isRemark: boolean): DishDetail[] =>
  [...counted].map(([text, counts]) => ({ text, isRemark, ...counts })).sort(byTotal);
const byTotal = (one: Counts, other: Counts): number => other.toCook + other.cooking - one.toCook - one.cooking;

/** Returns the options of a dish that are counted, and how many of each a dish has. */
const countedOptions = (options: readonly ItemOption[]): { text: string; each: number }[] =>
  options.flatMap((option) => {
    if (option.item_id !== null) return []; // the component is counted as a dish
    const [text, each] = option.of === null ? [optionName(option), option.quantity] : [optionText(option, 1), 1];
    return [{ text, each }, ...countedOptions(option.options)];
  });
