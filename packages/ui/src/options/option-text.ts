import type { ItemOption } from '@comanda/contracts/item-options';

/** Returns the option's name with its quantity or share: `2× Bacon`, `1/2 Calabresa`. */
export function countedName({ name, quantity, of }: Pick<ItemOption, 'name' | 'quantity' | 'of'>): string {
  if (of !== null && of > 1) return `${quantity}/${of} ${name}`;
  return quantity > 1 ? `${quantity}× ${name}` : name;
}

/** Returns the option with those below it in one line: `Large: 1/2 Calabresa, 1/2 Portuguesa`. */
export const optionText = (option: ItemOption): string =>
  countedName(option) + (option.options.length > 0 ? `: ${option.options.map(optionText).join(', ')}` : '');
