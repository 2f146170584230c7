import { allergen } from './menu.ts';
import { optionLimits } from './rules.ts';
import { component, count, id, list, money, nullable, object, oneOf, text, yesOrNo, type Infer } from './schema.ts';
import { nameTranslations } from './translations.ts';

/** How the prices of a group's chosen options become one amount: all of them, their average, or the dearest. */
export const priceMethods = ['sum', 'average', 'max'] as const;

const option = component(
  'Option',
  object({
    id: id().example(31),
    name: text(60).example('Calabresa'),
    name_translations: nameTranslations.example({ en: 'Smoked sausage' }),
    /** The name that the kitchen reads; null if it reads `name`. */
    kitchen_name: nullable(text(24).example('CALAB')),
    price: money().example('58.00'),
    /** How many of this option one line may have. */
    max_each: id().max(optionLimits.maxUnits).example(1),
    /** Null if they are not known. The allergens of a component are those of its dish. */
    allergens: nullable(list(allergen).example(['milk'])),
    available: yesOrNo(),
    default: yesOrNo().example(false),
    /** The groups that this option opens. */
    option_group_ids: list(id()).example([]),
    /** The dish that this option adds to the order as a component of a combo; null if it adds none. */
    item_id: nullable(id()).example(null),
  }),
);
export const optionGroup = component(
  'OptionGroup',
  object({
    id: id().example(4),
    name: text(60).example('Sabores'),
    name_translations: nameTranslations.example({ en: 'Flavours' }),
    min: count().max(optionLimits.maxUnits).example(1),
    max: id().max(optionLimits.maxUnits).example(2),
    price_method: oneOf(...priceMethods).example('average'),
    free: count().max(optionLimits.maxUnits).example(0),
    options: list(option),
    version: id(),
  }),
);
export type OptionGroup = Infer<typeof optionGroup>;
