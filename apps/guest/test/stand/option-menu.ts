import { toItemOption } from '@comanda/contracts/chosen-options';
import type { AskedOption } from '@comanda/contracts/item-options';
import type { MenuItem } from '@comanda/contracts/menu';
import { fromMinor, toMinor } from '@comanda/contracts/money';
import type { Option, OptionGroup } from '@comanda/contracts/option-groups';
import { chooseOptions, unitPriceOf } from '@comanda/contracts/options';
import { dishNamed, menuWithOptions } from '@comanda/testing/stand/data';
import { groupNamed, optionGroups } from '@comanda/testing/stand/option-groups';
import { seated } from './states.ts';

/** Returns one of the demo's dishes with its options. */
const dishWithOptions = (name: string): MenuItem => ({
  ...dishNamed(name),
  ...menuWithOptions.find((dish) => dish.name === name),
});
export const pizza = dishWithOptions('Pizza');
export const acai = dishWithOptions('Açaí na tigela');
export const combo = dishWithOptions('Combo X-burger');
export const steak = dishWithOptions('Picanha na brasa');
export const fish = dishWithOptions('Pargo na brasa');

/** Returns one of the demo's options, as a request names it. */
export function option(group: string, name: string, more: Partial<AskedOption> = {}): AskedOption {
  const { id } = groupNamed(group).options.find((each) => each.name === name) ?? {};
  if (id === undefined) throw new Error(`The demo's group ${group} has no option ${name}.`);
  return { id, quantity: 1, ...more };
}
/** The options of a large pizza in two halves, with cream cheese in its crust. */
export const halves = [
  option('Tamanho', 'Grande, 8 fatias', {
    options: [option('Sabores', 'Calabresa'), option('Sabores', 'Portuguesa'), option('Borda recheada', 'Catupiry')],
  }),
];
/** Returns the demo's groups without this option on offer. */
export const soldOut = (group: string, ...names: readonly string[]): OptionGroup[] =>
  optionGroups.map((each) =>
    each.name === group
      ? { ...each, options: each.options.map((one) => ({ ...one, available: !names.includes(one.name) })) }
      : each,
  );

type More = Parameters<typeof seated>[0];
/** Returns the state of a guest's phone at table 12 of the demo, with all its dishes. */
export const choosing = ({ answers, ...more }: More = {}) =>
  seated({
    ...more,
    answers: { listMenu: [...menuWithOptions], listOptionGroups: soldOut('Sabores', 'Abobrinha'), ...answers },
  });

/** Returns these options as an order's item has them, and the price of the dish with them. */
export function chosen(dish: MenuItem, asked: readonly AskedOption[]) {
  const byId = new Map(optionGroups.map((group) => [group.id, group]));
  const choice = chooseOptions<Option, OptionGroup>({ groupIds: dish.option_group_ids ?? [], asked }, byId);
  return {
    options: choice.options.map(toItemOption),
    unit_price: fromMinor(unitPriceOf(toMinor(dish.price), choice)),
  };
}

type Selected = { dish: MenuItem; asked: readonly AskedOption[]; remarks?: string };
/** Returns the data on the device of a guest who has selected these dishes with their options. */
export const basketWith = (...selected: readonly Selected[]) => {
  const lines = selected.map(({ dish, asked, remarks = '' }, index) => {
    const { options, unit_price: seenPrice } = chosen(dish, asked);
    return { id: index + 1, dishId: dish.id, name: dish.name, quantity: 1, remarks, seenPrice, options };
  });
  const basket = { lines, allergies: null, of: '12/seating 88', savedAt: Date.now() };
  return { 'comanda.basket': JSON.stringify(basket) };
};
