import Joi from 'joi';
import { endpoint, manager, staff } from './endpoint.ts';
import { pricings } from './weight.ts';
import { menuImport, optionLimits } from './rules.ts';
import {
  component,
  count,
  currencyCode,
  id,
  line,
  list,
  money,
  nullable,
  object,
  oneOf,
  optional,
  price,
  text,
  yesOrNo,
  type Infer,
} from './schema.ts';
import {
  categoryTranslations,
  descriptionTranslations,
  nameTranslations,
  sentCategories,
  sentDescriptions,
  sentNames,
} from './translations.ts';

/** The 14 allergens that Regulation (EU) 1169/2011 lists in Annex II. */
export const allergens = [
  'gluten',
  'crustaceans',
  'eggs',
  'fish',
  'peanuts',
  'soybeans',
  'milk',
  'nuts',
  'celery',
  'mustard',
  'sesame',
  'sulphites',
  'lupin',
  'molluscs',
] as const;
export const allergen = component('Allergen', oneOf(...allergens));
/** Creates a schema for a picture's URL: an `https:` URL or a path on this origin. Servers never fetch the URL. */
const imageUrl = () =>
  Joi.string()
    .max(255)
    // The pattern allows only characters that RFC 3986 allows in a URL, and ports up to 65535.
    .pattern(
      /^(https:\/\/[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?(\/[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*)?|\/([A-Za-z0-9._~:?#@!$&'()*+,;=%-][A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*)?)$/,
    )
    .messages({ 'string.pattern.base': '{{#label}} must be an https: URL or a path that begins with /' })
    .example('/images/feijoada.jpg');

export const station = () => line(32).example('kitchen');

/** A dish's translations: of its name, its description and its category. Absent in events from earlier releases. */
export const translations = {
  name_translations: optional(nameTranslations),
  description_translations: optional(descriptionTranslations),
  /** The translations of the category's name, which are the same for all dishes in the category. */
  category_translations: optional(categoryTranslations),
};
export const menuItem = component(
  'MenuItem',
  object({
    id: id().example(7),
    name: text(255).example('Feijoada'),
    description: text(2000).example('Black beans, pork, rice, orange'),
    price: money(),
    currency: currencyCode(),
    image_url: nullable(text(255).example('/images/feijoada.jpg')),
    category: nullable(text(64).example('Mains')),
    position: count().example(1),
    station: text(32).example('kitchen'),
    allergens: list(allergen).example(['celery', 'gluten']),
    /** How the dish is priced; absent in events from earlier releases, whose dishes are all `fixed`. */
    pricing: optional(oneOf(...pricings).example('fixed')),
    available: yesOrNo(),
    portions_left: nullable(count().example(12)),
    ...translations,
    /** The groups of options that guests choose from, in the order shown. Absent in events from earlier releases, as the next two. */
    option_group_ids: optional(list(id()).example([])),
    /** The name that the kitchen reads; null if it reads `name`. */
    kitchen_name: optional(nullable(text(24)).example(null)),
    /** True if `allergens` is the whole list, even if it is empty: then the dish has none of the 14. */
    allergens_stated: optional(yesOrNo()),
    version: id(),
  }),
);
export type MenuItem = Infer<typeof menuItem>;
/** The example of a dish after a price change. */
const changedItem = menuItem.example({
  id: 7,
  name: 'Feijoada',
  description: 'Black beans, pork, rice, orange',
  price: '34.00',
  currency: 'BRL',
  image_url: '/images/feijoada.jpg',
  category: 'Mains',
  position: 1,
  station: 'kitchen',
  allergens: ['celery', 'gluten'],
  pricing: 'fixed',
  available: true,
  portions_left: 12,
  name_translations: { en: 'Black bean stew' },
  description_translations: {},
  category_translations: { en: 'Mains' },
  option_group_ids: [],
  kitchen_name: null,
  allergens_stated: true,
  version: 2,
});

const fields = {
  description: optional(text(2000).example('Black beans, pork, rice, orange')),
  image_url: optional(nullable(imageUrl())),
  category: optional(nullable(line(64).example('Mains'))),
  position: optional(count().max(100_000).example(1)),
  station: optional(station()),
  allergens: optional(list(allergen).unique().max(14).example(['celery', 'gluten'])),
  pricing: optional(oneOf(...pricings)),
  available: optional(yesOrNo()),
  portions_left: optional(nullable(count().max(1_000_000).example(12))),
  name_translations: optional(sentNames()),
  description_translations: optional(sentDescriptions()),
  category_translations: optional(sentCategories()),
  option_group_ids: optional(list(id()).unique().max(optionLimits.maxGroupsOfDish).example([])),
  kitchen_name: optional(nullable(line(24).example('FEIJ'))),
  allergens_stated: optional(yesOrNo()),
};
/**
 * The step-up details that say whether a call changes translated names or option groups: guests agree to pay for what they read, in
 * any language, and for what they choose.
 */
const renamed = {
  sets_translated_names: { trueIfGiven: 'name_translations' },
  sets_option_groups: { trueIfGiven: 'option_group_ids' },
} as const;
/** The step-up detail for how a dish is priced, as important as its price. */
const priced = { pricing: { ifGiven: 'pricing' } } as const;
const aboutPricing =
  ' `pricing` is `fixed` by default. Only staff can order `open` dishes, with their price, and `per_kg` dishes, with their weight.';
const aboutTranslations =
  "`name`, `description` and `category` are in the restaurant's language (`GET /restaurant`). The translations are the restaurant's own, for guests who read another language. Each field that you send replaces all its translations. Those of a category apply to all its dishes, also to those added later.";
const itemId = { id: id().example(7) };

export const listMenu = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/menu',
  name: 'listMenu',
  who: 'anyone',
  summary: 'List the menu',
  responses: { 200: { about: 'All dishes, ordered by category and position', body: list(menuItem) } },
  problems: [],
});
export const getMenuItem = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/menu/{id}',
  name: 'getMenuItem',
  who: 'anyone',
  summary: 'Get one dish',
  params: itemId,
  exampleNeeds: 'a dish',
  responses: { 200: { about: 'The dish', body: menuItem } },
  problems: ['not_found'],
});
export const createMenuItem = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/menu',
  name: 'createMenuItem',
  who: manager,
  stepUp: {
    key: 'menu.manage',
    details: { type: 'menu_management', members: { name: 'name', price: 'price', ...priced, ...renamed } },
    required: true,
    demanded: 'by_setting',
  },
  summary: 'Add a dish',
  details: `With \`MENU_STEP_UP=on\` it needs the PIN. ${aboutTranslations}${aboutPricing}`,
  body: object({ name: line(255).example('Feijoada'), price: price(), ...fields }),
  exampleNeeds: 'a menu without the dish',
  responses: { 201: { about: 'The new dish', body: menuItem, headers: ['Location'] } },
  problems: ['unprocessable_content', 'menu_item_exists'],
});
export const updateMenuItem = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/menu/{id}',
  name: 'updateMenuItem',
  who: manager,
  // These changes need a PIN, because swapping two names would give a dish another dish's price.
  stepUp: {
    key: 'menu.manage',
    details: {
      type: 'menu_management',
      members: { item_id: 'id', name: { ifGiven: 'name' }, price: { ifGiven: 'price' }, ...priced, ...renamed },
    },
    required: true,
    demanded: 'by_setting',
  },
  summary: 'Change a dish; omitted fields keep their values',
  details: `With \`MENU_STEP_UP=on\`, a \`name\`, a \`price\`, a \`pricing\`, \`name_translations\` or \`option_group_ids\` need the PIN; other fields never do. ${aboutTranslations}${aboutPricing}`,
  params: itemId,
  body: object({ name: optional(line(255)), price: optional(price()), ...fields })
    .min(1)
    .example({ price: '34.00' }),
  exampleNeeds: 'a dish',
  responses: { 200: { about: 'The dish', body: changedItem } },
  problems: ['not_found', 'unprocessable_content', 'menu_item_exists'],
});
const hexDigest = () =>
  Joi.string()
    .pattern(/^[0-9a-f]{64}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be 64 hexadecimal digits in lower case' })
    .example('982737f0077cda81e74715a149c33778bea44ba877fed98689a8729c90a13a20');
const exampleImport = [
  { name: 'Feijoada', price: '32.50', category: 'Mains' },
  { name: 'Caipirinha', price: '22.00', category: 'Drinks', station: 'bar' },
];
export const importMenu = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/menu/import',
  name: 'importMenu',
  who: manager,
  stepUp: {
    key: 'menu.manage',
    details: { type: 'menu_management', members: { menu_sha256: 'sha256' } },
    required: true,
    demanded: 'by_setting',
  },
  summary: 'Add and change many dishes at once: all of them or none',
  details: `At most ${menuImport.maxDishes} dishes and ${menuImport.maxKilobytes} KB. A dish is found by its \`name\`: case, spaces and invisible characters make no difference. If there is none, it is added, and needs a \`price\`. Omitted fields keep their values, and dishes that the import lacks stay as they are. Rows apply in their order. If any row is wrong, nothing is written, and \`errors\` has a pointer to each wrong row and field, such as \`/dishes/3/price\` (of fields that are not valid, to the first 50). \`sha256\` is the SHA-256 of \`dishes\` as canonical JSON [RFC 8785], in lower-case hexadecimal. The service computes it again (422 if it differs). With \`MENU_STEP_UP=on\` each import needs the PIN, for exactly this digest (\`menu_sha256\`). ${aboutTranslations}`,
  body: object({
    dishes: list(object({ name: line(255).example('Feijoada'), price: optional(price()), ...fields }))
      .min(1)
      .max(menuImport.maxDishes),
    sha256: hexDigest(),
  }).example({
    dishes: exampleImport,
    sha256: '982737f0077cda81e74715a149c33778bea44ba877fed98689a8729c90a13a20',
  }),
  maxBodyKilobytes: menuImport.maxKilobytes,
  responses: {
    200: {
      about: 'How many dishes were added or changed, and how many rows changed nothing',
      body: component(
        'MenuImport',
        object({ added: count().example(1), changed: count().example(1), unchanged: count().example(0) }),
      ),
    },
  },
  problems: ['unprocessable_content', 'menu_item_exists'],
});
export const deleteMenuItem = endpoint({
  service: 'orders',
  method: 'DELETE',
  path: '/menu/{id}',
  name: 'deleteMenuItem',
  who: manager,
  summary: 'Remove a dish from the menu; existing orders keep it',
  params: itemId,
  exampleNeeds: 'another dish',
  responses: { 204: { about: 'Removed', body: null } },
  problems: ['not_found'],
});
export const setAvailability = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/menu/{id}/availability',
  name: 'setAvailability',
  who: staff,
  summary: 'Mark a dish as available or sold out, or set how many portions are left; omitted fields keep their values',
  params: itemId,
  body: object({
    available: optional(yesOrNo()),
    portions_left: optional(nullable(count().max(1_000_000).example(12))),
  }).min(1),
  exampleNeeds: 'a dish',
  responses: { 200: { about: 'The dish', body: menuItem } },
  problems: ['not_found'],
});

export const menu = [
  listMenu,
  getMenuItem,
  createMenuItem,
  updateMenuItem,
  importMenu,
  deleteMenuItem,
  setAvailability,
];
