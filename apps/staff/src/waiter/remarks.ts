import type { LiveItem, LiveOrder } from '@comanda/client/core';
import { isSameName } from '@comanda/contracts/text-key';

const maxUsual = 6;
/** The maximum length of a usual remark. A longer one is for one guest only. */
const maxLength = 40;

const partsOf = (remarks: string): readonly string[] =>
  remarks
    .split(/[,;]/u)
    .map((part) => part.trim())
    .filter((part) => part !== '');

type Dish = Pick<LiveItem, 'id' | 'category'>;
type Sources = { orders: readonly Pick<LiveOrder, 'items'>[]; dishes: readonly Dish[] };

/**
 * Returns the remarks that guests have made most often: first those for this dish, then those for other dishes of its category.
 */
export function usualRemarks(dish: Dish, { orders, dishes }: Sources): readonly string[] {
  const alike = new Set(dishes.filter(({ category }) => category === dish.category).map(({ id }) => id));
  const items = orders.flatMap((order) => order.items);
  const own = frequentParts(items.filter(({ item_id: id }) => id === dish.id));
  const others = frequentParts(items.filter(({ item_id: id }) => id !== dish.id && alike.has(id)));
  return [...own, ...others.filter((part) => !own.some((each) => isSameName(each, part)))].slice(0, maxUsual);
}

/** Returns the parts of these items' remarks, the most frequent first. */
function frequentParts(items: readonly { remarks: string }[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const part of items.flatMap(({ remarks }) => partsOf(remarks)))
    if (part.length <= maxLength) counts.set(part, (counts.get(part) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a).map(([part]) => part);
}

export const hasRemark = (remarks: string, part: string): boolean =>
  partsOf(remarks).some((each) => isSameName(each, part));

/** Adds a remark to the text, or removes it if the text has it. */
export function toggleRemark(remarks: string, part: string): string {
  const parts = partsOf(remarks);
  const left = parts.filter((each) => !isSameName(each, part));
  return (left.length < parts.length ? left : [...parts, part]).join(', ');
}
