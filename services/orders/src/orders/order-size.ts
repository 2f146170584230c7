import type { AskedOption } from '@comanda/contracts/item-options';
import { maxItemsOfOrder, optionLimits } from '@comanda/contracts/rules';
import type { OrderItem } from './order.ts';

/** Returns how many options there are on all levels. */
export const countOptions = (options: readonly AskedOption[]): number =>
  options.reduce((count, { options: below = [] }) => count + 1 + countOptions(below), 0);

/** Says what is too much in an order with these items; null if the order is small enough to store with its events. */
export function whatIsTooMuch(items: readonly Pick<OrderItem, 'options'>[]): string | null {
  if (items.length > maxItemsOfOrder) return `more than ${maxItemsOfOrder} items, components included`;
  const options = items.reduce((count, item) => count + countOptions(item.options), 0);
  const { maxOptionsOfItems } = optionLimits;
  return options > maxOptionsOfItems ? `more than ${maxOptionsOfItems} options, counted in every item` : null;
}
