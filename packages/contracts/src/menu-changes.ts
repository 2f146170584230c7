import { endpoint, manager, roles } from './endpoint.ts';
import { allergen, translations } from './menu.ts';
import { option } from './option-groups.ts';
import { priceMethods } from './price-methods.ts';
import { pricings } from './weight.ts';
import { auditDays } from './rules.ts';
import {
  component,
  count,
  id,
  list,
  money,
  nullable,
  object,
  oneOf,
  optional,
  pagesByTimeOfEvents,
  text,
  time,
  yesOrNo,
  type Infer,
} from './schema.ts';

export const menuChangeTypes = ['dish_added', 'dish_changed', 'dish_removed', 'ordering_changed'] as const;
export type MenuChangeType = (typeof menuChangeTypes)[number];
const menuValues = component(
  'MenuValues',
  object({
    name: optional(text(255).example('Feijoada')),
    description: optional(text(2000)),
    price: optional(money().example('32.50')),
    image_url: optional(nullable(text(255))),
    category: optional(nullable(text(64))),
    position: optional(count()),
    station: optional(text(32)),
    allergens: optional(list(allergen)),
    pricing: optional(oneOf(...pricings)),
    available: optional(yesOrNo()),
    portions_left: optional(nullable(count())),
    ...translations,
    option_group_ids: optional(list(id())),
    kitchen_name: optional(nullable(text(24))),
    allergens_stated: optional(yesOrNo()),
    min: optional(count()),
    max: optional(id()),
    price_method: optional(oneOf(...priceMethods)),
    free: optional(count()),
    /** All options of a group. */
    options: optional(list(option)),
    removed: optional(yesOrNo()),
    paused_until: optional(nullable(time())),
    reason: optional(nullable(text(200))),
  }),
);
export type MenuValues = Infer<typeof menuValues>;
const menuChange = component(
  'MenuChange',
  object({
    at: time(),
    actor: object({ id: id().example(3), name: text(255).example('Marta'), role: oneOf(...roles).example('manager') }),
    type: oneOf(...menuChangeTypes).example('dish_changed'),
    item_id: nullable(id().example(7)),
    /** The id of the option group; null if the change is about a dish or the pause. Absent in earlier releases. */
    option_group_id: optional(nullable(id())).example(null),
    /** The name of the dish or of the option group. */
    item_name: nullable(text(255).example('Feijoada')),
    before: menuValues.example({ price: '32.50' }),
    after: menuValues.example({ price: '34.00' }),
  }),
);
export type MenuChange = Infer<typeof menuChange>;
export const listMenuChanges = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/menu-changes',
  name: 'listMenuChanges',
  who: manager,
  summary: 'List the changes of dishes, option groups and the ordering pause, newest first',
  details: `Each entry has the values that differ, before and after. Entries are kept for ${auditDays} days. Portions taken by orders are not listed. With \`item_id\`, only changes of that dish; with \`option_group_id\`, only those of that group. A change of a group has the same types, \`item_id\` null and the group's name in \`item_name\`; \`options\` are all of its options.`,
  query: { ...pagesByTimeOfEvents, item_id: optional(id().example(7)), option_group_id: optional(id().example(4)) },
  responses: { 200: { about: 'One page', body: list(menuChange), headers: ['Link'] } },
  problems: [],
});

export const menuChanges = [listMenuChanges];
