import Joi from 'joi';
import { endpoint, manager, staff } from './endpoint.ts';
import {
  count,
  currencyCode,
  id,
  line,
  list,
  money,
  named,
  nullable,
  object,
  oneOf,
  optional,
  price,
  text,
  time,
  yesOrNo,
} from './schema.ts';
import type { Infer } from './schema.ts';

/** The 14 allergens of Regulation (EU) 1169/2011, Annex II. */
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
/** `https:` or a path of this origin; it is never fetched by a server. */
const imageUrl = () =>
  Joi.string()
    .max(255)
    // Characters of RFC 3986 only: whatever reads it later finds a URL.
    .pattern(
      /^(https:\/\/[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:[0-9]{1,4})?(\/[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*)?|\/([A-Za-z0-9._~:?#@!$&'()*+,;=%-][A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*)?)$/,
    )
    .messages({ 'string.pattern.base': '{{#label}} must be an https: URL or a path of this origin' })
    .example('/images/feijoada.jpg');

export const station = () => line(32).example('kitchen');

export const menuItem = named(
  'MenuItem',
  object({
    id: id(),
    name: text(255).example('Feijoada'),
    description: text(2000).example('Black beans, pork, rice, orange'),
    price: money(),
    currency: currencyCode(),
    image_url: nullable(text(255).example('/images/feijoada.jpg')),
    category: nullable(text(64).example('Mains')),
    position: count(),
    station: text(32).example('kitchen'),
    allergens: list(oneOf(...allergens)),
    available: yesOrNo(),
    portions_left: nullable(count().example(12)),
    version: id(),
  }),
);
export type MenuItem = Infer<typeof menuItem>;

const fields = {
  description: optional(text(2000).example('Black beans, pork, rice, orange')),
  image_url: optional(nullable(imageUrl())),
  category: optional(nullable(line(64).example('Mains'))),
  position: optional(count().max(100_000)),
  station: optional(station()),
  allergens: optional(
    list(oneOf(...allergens))
      .unique()
      .max(14),
  ),
  available: optional(yesOrNo()),
  portions_left: optional(nullable(count().max(1_000_000))),
};
const itemId = { id: id() };

export const listMenu = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/menu',
  name: 'listMenu',
  who: 'anyone',
  summary: 'Read the menu',
  answers: { 200: { about: 'All dishes, by category and position', body: list(menuItem) } },
  problems: [],
});
export const getMenuItem = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/menu/{id}',
  name: 'getMenuItem',
  who: 'anyone',
  summary: 'Read one dish',
  params: itemId,
  answers: { 200: { about: 'The dish', body: menuItem } },
  problems: ['not_found'],
});
export const createMenuItem = endpoint({
  service: 'orders',
  method: 'POST',
  path: '/menu',
  name: 'createMenuItem',
  who: manager,
  summary: 'Add a dish',
  body: object({ name: line(255).example('Feijoada completa'), price: price(), ...fields }),
  answers: { 201: { about: 'The new dish', body: menuItem, headers: ['Location'] } },
  problems: ['menu_item_exists'],
});
export const updateMenuItem = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/menu/{id}',
  name: 'updateMenuItem',
  who: manager,
  summary: 'Change a dish; keys that are not sent stay as they are',
  params: itemId,
  body: object({ name: optional(line(255).example('Feijoada completa')), price: optional(price()), ...fields }).min(1),
  answers: { 200: { about: 'The dish', body: menuItem } },
  problems: ['not_found', 'menu_item_exists'],
});
export const deleteMenuItem = endpoint({
  service: 'orders',
  method: 'DELETE',
  path: '/menu/{id}',
  name: 'deleteMenuItem',
  who: manager,
  summary: 'Take a dish off the menu; orders still refer to it',
  params: itemId,
  answers: { 204: { about: 'Gone from the menu', body: null } },
  problems: ['not_found'],
});
export const setAvailability = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/menu/{id}/availability',
  name: 'setAvailability',
  who: staff,
  summary: 'Mark a dish as sold out or to be had, and how many portions are left',
  params: itemId,
  body: object({ available: yesOrNo(), portions_left: optional(nullable(count().max(1_000_000))) }),
  answers: { 200: { about: 'The dish', body: menuItem } },
  problems: ['not_found'],
});

export const ordering = named(
  'Ordering',
  object({ paused_until: nullable(time()), reason: nullable(text(200).example('The kitchen is full')) }),
);
export type Ordering = Infer<typeof ordering>;
export const getOrdering = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/ordering',
  name: 'getOrdering',
  who: 'anyone',
  summary: 'Does the house take orders',
  answers: { 200: { about: '`paused_until: null`: yes', body: ordering } },
  problems: [],
});
export const putOrdering = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/ordering',
  name: 'putOrdering',
  who: manager,
  summary: "Pause customers' orders until a time; `{}` resumes",
  body: object({ paused_until: optional(time()), reason: optional(line(200).example('The kitchen is full')) }),
  answers: { 200: { about: 'As it is now', body: ordering } },
  problems: [],
});

export const menu = [
  listMenu,
  getMenuItem,
  createMenuItem,
  updateMenuItem,
  deleteMenuItem,
  setAvailability,
  getOrdering,
  putOrdering,
];
