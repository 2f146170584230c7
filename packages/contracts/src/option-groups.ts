import Joi from 'joi';
import { endpoint, manager, staff } from './endpoint.ts';
import { allergen } from './menu.ts';
import { priceMethods } from './price-methods.ts';
import { optionLimits } from './rules.ts';
import {
  component,
  count,
  id,
  line,
  list,
  money,
  nullable,
  object,
  oneOf,
  optional,
  text,
  yesOrNo,
  type Infer,
} from './schema.ts';
import { nameTranslations, sentOptionNames } from './translations.ts';

export const option = component(
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
export type Option = Infer<typeof option>;
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

/** Creates a schema for an option's price in requests, from `"-99999.99"` to `"99999.99"`. */
const optionPrice = () =>
  Joi.string()
    .pattern(/^-?(0|[1-9][0-9]{0,4})(\.[0-9]{1,2})?$/)
    .messages({
      'string.pattern.base': '{{#label}} must be a decimal string such as "4.00" or "-2.50", at most 99999.99',
    })
    .example('58.00');
/** The fields of an option that every new option may leave out. */
const optionFields = {
  name_translations: optional(sentOptionNames()),
  kitchen_name: optional(nullable(line(24).example('CALAB'))),
  max_each: optional(id().max(optionLimits.maxUnits).example(1)),
  allergens: optional(nullable(list(allergen).unique().max(14).example(['milk']))),
  available: optional(yesOrNo()),
  default: optional(yesOrNo().example(false)),
  option_group_ids: optional(list(id()).unique().max(optionLimits.maxGroupsOfOption).example([])),
  item_id: optional(nullable(id()).example(null)),
};
const newOption = component(
  'NewOption',
  object({ name: line(60).example('Calabresa'), price: optionPrice(), ...optionFields }),
);
const sentOption = component(
  'SentOption',
  object({
    id: optional(id().example(31)),
    name: optional(line(60).example('Calabresa')),
    price: optional(optionPrice()),
    ...optionFields,
  }),
);
export type SentOption = Infer<typeof sentOption>;
const groupFields = {
  name_translations: optional(sentOptionNames()),
  min: optional(count().max(optionLimits.maxUnits).example(1)),
  max: optional(id().max(optionLimits.maxUnits).example(2)),
  price_method: optional(oneOf(...priceMethods).example('average')),
  free: optional(count().max(optionLimits.maxUnits).example(0)),
};
/** The details that a manager authorizes for a group: what guests read and pay. */
const details = {
  price_method: { ifGiven: 'price_method' },
  free: { ifGiven: 'free' },
  sets_options: { trueIfGiven: 'options' },
  sets_translated_names: { trueIfGiven: 'name_translations' },
} as const;
const groupId = { id: id().example(4) };
const aboutGroups = `A group asks one question about a dish, such as its size. Guests choose \`min\` to \`max\` of its options, counted in quantities. An option with \`option_group_ids\` opens further groups, at most ${optionLimits.maxDepth} in a chain and never in a circle. \`price_method\` says what the chosen options cost together: \`sum\`, without the \`free\` dearest of those above 0; their \`average\`; or the dearest (\`max\`). An option with \`item_id\` adds that dish to the order, as a component of a combo. Options with \`default\` are ordered if nothing of the group is named, so that orders by name alone go on.`;

export const listOptionGroups = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/option-groups',
  name: 'listOptionGroups',
  who: 'anyone',
  summary: 'List the option groups',
  details: aboutGroups,
  responses: { 200: { about: 'All groups, ordered by id', body: list(optionGroup) } },
  problems: [],
});
export const getOptionGroup = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/option-groups/{id}',
  name: 'getOptionGroup',
  who: 'anyone',
  summary: 'Get one option group',
  params: groupId,
  exampleNeeds: 'an option group',
  responses: { 200: { about: 'The group', body: optionGroup } },
  problems: ['not_found'],
});
export const createOptionGroup = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/option-groups',
  name: 'createOptionGroup',
  who: manager,
  stepUp: {
    key: 'menu.manage',
    details: { type: 'menu_management', members: { name: 'name', ...details } },
    required: true,
    demanded: 'by_setting',
  },
  summary: 'Add an option group',
  details: `With \`MENU_STEP_UP=on\` it needs the PIN. A restaurant has at most ${optionLimits.maxGroups} groups. ${aboutGroups}`,
  body: object({
    name: line(60).example('Sabores'),
    ...groupFields,
    min: count().max(optionLimits.maxUnits).example(1),
    max: id().max(optionLimits.maxUnits).example(2),
    options: list(newOption).min(1).max(optionLimits.maxOptions),
  }).example({
    name: 'Sabores',
    name_translations: { en: 'Flavours' },
    min: 1,
    max: 2,
    price_method: 'average',
    options: [
      { name: 'Calabresa', price: '58.00' },
      { name: 'Portuguesa', price: '64.00' },
    ],
  }),
  maxBodyKilobytes: optionLimits.maxKilobytes,
  responses: { 201: { about: 'The new group', body: optionGroup, headers: ['Location'] } },
  problems: ['unprocessable_content'],
});
export const updateOptionGroup = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/option-groups/{id}',
  name: 'updateOptionGroup',
  who: manager,
  stepUp: {
    key: 'menu.manage',
    details: {
      type: 'menu_management',
      members: { option_group_id: 'id', name: { ifGiven: 'name' }, ...details },
    },
    required: true,
    demanded: 'by_setting',
  },
  summary: 'Change an option group; omitted fields keep their values',
  details: `\`options\` replaces the list, in its order. An option with an \`id\` of this group keeps its omitted fields, one without is new, and one left out is gone. Orders keep what they have. With \`MENU_STEP_UP=on\`, \`min\`, \`max\` and \`version\` need no PIN; all other fields do. ${aboutGroups}`,
  params: groupId,
  body: object({
    name: optional(line(60).example('Sabores')),
    ...groupFields,
    options: optional(list(sentOption).min(1).max(optionLimits.maxOptions).unique('id', { ignoreUndefined: true })),
    version: optional(id()),
  })
    .min(1)
    .example({ max: 3 }),
  maxBodyKilobytes: optionLimits.maxKilobytes,
  exampleNeeds: 'an option group',
  responses: { 200: { about: 'The group', body: optionGroup } },
  problems: ['not_found', 'unprocessable_content', 'version_mismatch'],
});
export const deleteOptionGroup = endpoint({
  service: 'orders',
  method: 'DELETE',
  path: '/option-groups/{id}',
  name: 'deleteOptionGroup',
  who: manager,
  summary: 'Remove an option group that no dish and no other group uses; existing orders keep it',
  params: groupId,
  exampleNeeds: 'an option group',
  responses: { 204: { about: 'Removed', body: null } },
  problems: ['not_found', 'option_group_in_use'],
});
export const setOptionAvailability = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/option-groups/{id}/options/{option_id}/availability',
  name: 'setOptionAvailability',
  who: staff,
  summary: 'Mark an option as available or sold out, in all dishes that have it',
  params: { id: id().example(4), option_id: id().example(31) },
  body: object({ available: yesOrNo().example(false) }),
  exampleNeeds: 'an option group',
  responses: { 200: { about: 'The group', body: optionGroup } },
  problems: ['not_found'],
});

export const optionGroups = [
  listOptionGroups,
  getOptionGroup,
  createOptionGroup,
  updateOptionGroup,
  deleteOptionGroup,
  setOptionAvailability,
];
