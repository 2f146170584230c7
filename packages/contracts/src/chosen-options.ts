import type { ItemOption } from './item-options.ts';
import type { OptionGroup } from './option-groups.ts';
import type { ChosenOption } from './options.ts';
import type { Translations } from './translations.ts';

const hasAny = (translations: Translations): boolean => Object.keys(translations).length > 0;

/** Copies a chosen option and those below it from the menu, as an order's item has them. */
export const toItemOption = ({ group, option, quantity, of, options }: ChosenOption<OptionGroup>): ItemOption => ({
  id: option.id,
  group: group.name,
  ...(hasAny(group.name_translations) && { group_translations: group.name_translations }),
  name: option.name,
  ...(hasAny(option.name_translations) && { name_translations: option.name_translations }),
  kitchen_name: option.kitchen_name,
  quantity,
  of,
  price: option.price,
  item_id: option.item_id,
  options: options.map(toItemOption),
});
