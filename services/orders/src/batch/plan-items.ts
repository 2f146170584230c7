import { toItemOption } from '@comanda/contracts/chosen-options';
import type { ItemOption } from '@comanda/contracts/item-options';
import { chooseOptions, unitPriceOf, type Choice, type ChosenOption } from '@comanda/contracts/options';
import { problem, Problem } from '@comanda/contracts/problem';
import type { Dish } from '../menu/menu-item.ts';
import type { OptionGroup } from '../menu/option-group.ts';
import { whatIsTooMuch } from '../orders/order-size.ts';
import type { OrderItem } from '../orders/order.ts';
import type { BatchState } from './batch-state.ts';
import { priceOf } from './price-lines.ts';
import type { Line } from './write.ts';

/** A line with its dish. */
export type OrderedLine = { line: Line; dish: Dish };
/** An item to order. `partOf`: the position of its combo in the list; null if it is no component. */
export type PlannedItem = {
  dish: Dish;
  quantity: number;
  remarks: string;
  unitPriceMinor: number;
  measure: OrderItem['measure'];
  options: readonly ItemOption[];
  partOf: number | null;
};
/** The items of an order, and the ids of the sold-out options of each dish. */
export type PlannedOrder = { items: readonly PlannedItem[]; soldOut: ReadonlyMap<Dish, readonly number[]> };

type Menu = Pick<BatchState, 'dishes' | 'optionGroups'>;
type ChosenLine = OrderedLine & { choice: Choice<OptionGroup> };
type Chosen = ChosenOption<OptionGroup>;

/**
 * Returns the items of an order: one for each line, or, for a combo, as many plates as ordered, each followed by its components.
 * Returns a problem if options can't be chosen like this, or if the order would be too large.
 */
export function planItems(menu: Menu, lines: readonly OrderedLine[]): PlannedOrder | Problem {
  const chosen = lines.map(({ line, dish }): ChosenLine => {
    const asked = { groupIds: dish.optionGroupIds, asked: line.options };
    return { line, dish, choice: chooseOptions(asked, menu.optionGroups) };
  });
  const defects = chosen.flatMap(({ choice }, index) => choice.defects.map((defect) => ({ index, ...defect })));
  if (defects.length > 0) return problem('options_invalid', { items: defects });

  const items: PlannedItem[] = [];
  for (const line of chosen) items.push(...itemsOf(menu, line, items.length));
  const tooMuch = whatIsTooMuch(items);
  if (tooMuch) return problem('unprocessable_content', { errors: [{ pointer: '/items', detail: tooMuch }] });
  return { items, soldOut: soldOutOf(chosen) };
}

function soldOutOf(chosen: readonly ChosenLine[]): Map<Dish, readonly number[]> {
  const soldOut = new Map<Dish, readonly number[]>();
  for (const { dish, choice } of chosen)
    if (choice.soldOut.length > 0) soldOut.set(dish, [...new Set([...(soldOut.get(dish) ?? []), ...choice.soldOut])]);
  return soldOut;
}

/** `start`: the position of the line's first item in the order. */
function itemsOf({ dishes }: Menu, { line, dish, choice }: ChosenLine, start: number): PlannedItem[] {
  const { unitPriceMinor: own, measure } = priceOf(line, dish);
  const unitPriceMinor = choice.options.length === 0 ? own : Number(unitPriceOf(BigInt(own), choice));
  const { quantity, remarks } = line;
  const options = choice.options.map(toItemOption);
  const item = { dish, quantity, remarks, unitPriceMinor, measure, options, partOf: null };
  const components = componentsIn(choice.options);
  if (components.length === 0) return [item];
  const parts = components.map(({ option, quantity: units, options: below }) => {
    const id = option.item_id ?? 0;
    const part = dishes.byId.get(id) ?? dishes.removed.get(id);
    if (!part) throw new Error(`the component ${id} of option ${option.id} is not stored`);
    const chosen = below.map(toItemOption);
    return { dish: part, quantity: units, remarks: '', unitPriceMinor: 0, measure: null, options: chosen };
  });
  return Array.from({ length: quantity }, (_each, plate) => {
    const partOf = start + plate * (1 + parts.length);
    return [{ ...item, quantity: 1 }, ...parts.map((part) => ({ ...part, partOf }))];
  }).flat();
}

/** Returns the chosen options that add a dish, depth first. */
const componentsIn = (options: readonly Chosen[]): Chosen[] =>
  options.flatMap((chosen) => [...(chosen.option.item_id === null ? [] : [chosen]), ...componentsIn(chosen.options)]);
