import type { ItemOption } from '@comanda/contracts/item-options';
import { formatWeight } from '@comanda/ui/format.ts';
import { countedName } from '@comanda/ui/options/option-text.ts';
import type { OrderItem, Ticket } from '../bumps/ticket.ts';

/** A line below a dish. `station`: the other station that makes this component of a combo. */
export type OptionLine = {
  key: string;
  /** How many options the option is below. */
  depth: number;
  text: string;
  station?: string;
};

export const optionName = ({ kitchen_name: short, name }: ItemOption): string => short ?? name;

/** Returns `1/2 CALAB` for half a pizza, `2× Bacon` (of several dishes `2× Bacon each`), or the name alone. */
export const optionText = (option: ItemOption, dishes: number): string =>
  countedName({ ...option, name: optionName(option) }, dishes);

/** Returns the lines below a dish: its weight, then its options. Components that are dishes of the same ticket are left out. */
export function optionLines(item: OrderItem, { items, elsewhere }: Pick<Ticket, 'items' | 'elsewhere'>): OptionLine[] {
  const { measure, quantity, options = [] } = item;
  const linesOf = (list: readonly ItemOption[], depth: number, above: string): OptionLine[] =>
    list.flatMap((option) => {
      const key = `${above}/${option.id}`;
      const line = { key, depth, text: optionText(option, quantity) };
      if (option.item_id === null) return [line, ...linesOf(option.options, depth + 1, key)];
      if (item.remake) return []; // only the combo's plate is made again
      const isComponent = (each: OrderItem): boolean => each.part_of === item.id && each.item_id === option.item_id;
      if (items.some(isComponent)) return [];
      const station = elsewhere.find(isComponent)?.station;
      return [{ ...line, ...(station !== undefined && { station }) }];
    });
  const weight =
    typeof measure === 'object' && measure
      ? [{ key: 'weight', depth: 0, text: `${formatWeight(measure.value)}\u00A0kg` }]
      : [];
  return [...weight, ...linesOf(options, 0, '')];
}
