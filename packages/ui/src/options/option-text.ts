import type { ItemOption } from '@comanda/contracts/item-options';
import { uiMessages } from '../messages.ts';

type Part = Pick<ItemOption, 'quantity' | 'of'>;

/** Returns the option's share of the dish, as people say it: `1/2`, also for 2 of 4; null for a whole one. */
export function shareOf({ quantity, of }: Part): string | null {
  if (of === null || quantity >= of) return null;
  const divisor = greatestDivisor(quantity, of);
  return `${quantity / divisor}/${of / divisor}`;
}

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other);

/**
 * Returns the option's name with its quantity or share: `2× Bacon`, `1/2 Calabresa`. Of several dishes each has the options, so that
 * a quantity is `2× Bacon each`.
 */
export function countedName({ name, ...part }: Part & Pick<ItemOption, 'name'>, dishes: number): string {
  const share = shareOf(part);
  if (share !== null) return `${share} ${name}`;
  if (part.of !== null || part.quantity === 1) return name;
  const counted = `${part.quantity}× ${name}`;
  return dishes > 1 ? uiMessages().each(counted) : counted;
}

/** Returns the option with those below it in one line: `Large: 1/2 Calabresa, 1/2 Portuguesa`. */
export function optionText(option: ItemOption, dishes: number): string {
  const below = option.options.map((each) => optionText(each, dishes));
  return countedName(option, dishes) + (below.length > 0 ? `: ${below.join(', ')}` : '');
}
