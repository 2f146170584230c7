import type { ItemOption } from '@comanda/contracts/item-options';

type Part = Pick<ItemOption, 'quantity' | 'of'>;

/** Returns the option's share of the dish, as people say it: `1/2`, also for 2 of 4; null for a whole one. */
export function shareOf({ quantity, of }: Part): string | null {
  if (of === null || quantity >= of) return null;
  const divisor = greatestDivisor(quantity, of);
  return `${quantity / divisor}/${of / divisor}`;
}

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other);

/** Returns the option's name with its quantity or share: `2× Bacon`, `1/2 Calabresa`. */
export function countedName({ name, ...part }: Part & Pick<ItemOption, 'name'>): string {
  const count = part.of === null && part.quantity > 1 ? `${part.quantity}×` : shareOf(part);
  return count === null ? name : `${count} ${name}`;
}

/** Returns the option with those below it in one line: `Large: 1/2 Calabresa, 1/2 Portuguesa`. */
export const optionText = (option: ItemOption): string =>
  countedName(option) + (option.options.length > 0 ? `: ${option.options.map(optionText).join(', ')}` : '');
