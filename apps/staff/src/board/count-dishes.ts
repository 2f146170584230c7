import type { Ticket } from '../bumps/ticket.ts';

export type DishCount = {
  name: string;
  toCook: number;
  cooking: number;
  /** The portions with remarks, counted separately for each remark. */
  remarks: readonly { text: string; toCook: number; cooking: number }[];
};
type Counts = { toCook: number; cooking: number };

/** Counts the portions of each dish that are waiting or being cooked. The dish with the most portions comes first. */
export function countDishes(tickets: readonly Ticket[]): DishCount[] {
  const dishes = new Map<string, Counts & { remarks: Map<string, Counts> }>();
  for (const item of tickets.flatMap(({ items }) => items)) {
    if (item.status !== 'received' && item.status !== 'preparing') continue;
    const key = item.status === 'received' ? 'toCook' : 'cooking';
    const dish = dishes.get(item.name) ?? { toCook: 0, cooking: 0, remarks: new Map<string, Counts>() };
    dishes.set(item.name, dish);
    dish[key] += item.quantity;
    const remark = item.remarks.trim();
    if (remark === '') continue;
    const counts = dish.remarks.get(remark) ?? { toCook: 0, cooking: 0 };
    dish.remarks.set(remark, counts);
    counts[key] += item.quantity;
  }
  return [...dishes]
    .map(([name, { remarks, ...counts }]) => ({
      name,
      ...counts,
      remarks: [...remarks].map(([text, each]) => ({ text, ...each })).sort(byTotal),
    }))
    .sort(byTotal);
}

const byTotal = (one: Counts, other: Counts): number => other.toCook + other.cooking - one.toCook - one.cooking;
