import type { ItemOption } from '@comanda/contracts/item-options';

/** Returns the option's name with its quantity or share: `2× Bacon`, `1/2 Calabresa`. */
export function countedName({ name, quantity, of }: Pick<ItemOption, 'name' | 'quantity' | 'of'>): string {
  if (of !== null && of > 1) return `${quantity}/${of} ${name}`;
  return quantity > 1 ? `${quantity}× ${name}` : name;
}
