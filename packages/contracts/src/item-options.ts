import Joi from 'joi';
import { optionLimits } from './rules.ts';
import { component, id, list, money, nullable, object, optional, text } from './schema.ts';
import { nameTranslations, type Translations } from './translations.ts';

/** An option as a request names it, with the options of the groups that it opens. */
export type AskedOption = { id: number; quantity?: number; options?: AskedOption[] };
/** An option in an order's item or on a bill, copied from the menu when it was ordered. */
export type ItemOption = {
  id: number;
  /** The name of its group. */
  group: string;
  group_translations?: Translations;
  name: string;
  name_translations?: Translations;
  kitchen_name: string | null;
  quantity: number;
  /** The units of its group if they share one price: `quantity` 1 `of` 2 is half a pizza. Null otherwise. */
  of: number | null;
  price: string;
  /** The dish that the option added to the order; null if it added none. */
  item_id: number | null;
  options: ItemOption[];
};

/** The innermost options open no groups, so their list stays empty. */
const none = <T>(): Joi.ArraySchema<T[]> => Joi.array<T[]>().max(0).example([]);

const asked = (name: string, options: Joi.ArraySchema<AskedOption[]>): Joi.ArraySchema<AskedOption[]> =>
  list(
    component(
      name,
      object({
        id: id().example(31),
        quantity: optional(id().max(optionLimits.maxUnits).example(1)),
        options: optional(options),
      }),
    ) as Joi.AnySchema as Joi.AnySchema<AskedOption>,
  ).max(optionLimits.maxOptions);
/**
 * Returns true only for options that the schema accepts. Joi would take ten times as long for each option of each order. It checks
 * all other values, and says what is wrong with them.
 */
const areAsked = (value: unknown, levels: number): boolean =>
  Array.isArray(value) &&
  value.length <= (levels > 0 ? optionLimits.maxOptions : 0) &&
  value.every((option: unknown) => isAsked(option, levels));

function isAsked(option: unknown, levels: number): boolean {
  if (typeof option !== 'object' || option === null) return false;
  const { id: optionId, quantity = 1, options = [], ...others }: Record<string, unknown> = { ...option };
  return (
    isUpTo(Number.MAX_SAFE_INTEGER, optionId) &&
    isUpTo(optionLimits.maxUnits, quantity) &&
    areAsked(options, levels - 1) &&
    Object.keys(others).length === 0
  );
}
const isUpTo = (max: number, value: unknown): boolean =>
  Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= max;

/** The options of a line in a request: at most three levels. They may be left out. */
export const askedOptions = optional(
  asked(
    'AskedOption',
    asked('AskedInnerOption', asked('AskedInnermostOption', none<AskedOption>())).example([]),
  ).example([]),
).cache({
  get: (value) => areAsked(value, optionLimits.maxDepth) && { value, errors: null },
  set: () => undefined,
});

const chosen = (name: string, options: Joi.ArraySchema<ItemOption[]>): Joi.ArraySchema<ItemOption[]> =>
  list(
    component(
      name,
      object({
        id: id().example(31),
        group: text(60).example('Sabores'),
        group_translations: optional(nameTranslations.example({ en: 'Flavours' })),
        name: text(60).example('Calabresa'),
        name_translations: optional(nameTranslations.example({ en: 'Smoked sausage' })),
        kitchen_name: nullable(text(24).example('CALAB')),
        quantity: id().max(optionLimits.maxUnits).example(1),
        of: nullable(id().example(2)),
        price: money().example('58.00'),
        item_id: nullable(id()).example(null),
        options,
      }),
    ) as Joi.AnySchema as Joi.AnySchema<ItemOption>,
  );
/** The options of an ordered item, nested as ordered, in the menu's order. */
export const itemOptions = chosen(
  'ItemOption',
  chosen('InnerItemOption', chosen('InnermostItemOption', none<ItemOption>())).example([]),
).example([]);
