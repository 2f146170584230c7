import type { OptionGroup } from '@comanda/contracts/option-groups';
import { demoMenu } from '@comanda/local-stack/demo-menu';
import { demoOptionGroups } from '@comanda/local-stack/demo-option-groups';

/** Returns the id that the demo's option group has in the stand. */
export const idOfGroup = (name: string): number => 1 + demoOptionGroups.findIndex((group) => group.name === name);
const idOfDish = (name: string): number => 1 + demoMenu.findIndex((dish) => dish.name === name);

let lastOptionId = 0;
/** The demo's option groups, as `GET /option-groups` returns them. Their dishes are in `menuWithOptions`. */
export const optionGroups: readonly OptionGroup[] = demoOptionGroups.map(
  ({ name_translations = {}, price_method = 'sum', free = 0, options, ...group }) => ({
    ...group,
    id: idOfGroup(group.name),
    name_translations,
    price_method,
    free,
    options: options.map(({ opens = [], dish, ...option }) => ({
      kitchen_name: null,
      max_each: 1,
      allergens: null,
      available: true,
      default: false,
      name_translations: {},
      ...option,
      id: ++lastOptionId,
      option_group_ids: opens.map(idOfGroup),
      item_id: dish === undefined ? null : idOfDish(dish),
    })),
    version: 1,
  }),
);
/** Returns one of the demo's option groups by its Portuguese or English name. */
export function groupNamed(name: string): OptionGroup {
  const found = optionGroups.find((group) => group.name === name || group.name_translations.en === name);
  if (!found) throw new Error(`The demo has no option group ${name}.`);
  return found;
}
