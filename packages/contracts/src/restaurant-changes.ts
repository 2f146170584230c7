import { endpoint, manager, roles } from './endpoint.ts';
import { shownSettings } from './restaurant.ts';
import { auditDays } from './rules.ts';
import {
  component,
  id,
  list,
  object,
  oneOf,
  optional,
  pagesByTimeOfEvents,
  text,
  time,
  yesOrNo,
  type Infer,
} from './schema.ts';

const restaurantValues = component(
  'RestaurantValues',
  object({
    ...shownSettings,
    name: optional(shownSettings.name),
    service_charge: optional(shownSettings.service_charge),
    tip_suggestions: optional(shownSettings.tip_suggestions),
    waiter_discount_limit: optional(shownSettings.waiter_discount_limit),
    /** True if the guests' Wi-Fi has changed. Its name and password are not recorded. */
    wifi_changed: optional(yesOrNo().valid(true)),
  }),
);
export type RestaurantValues = Infer<typeof restaurantValues>;
const restaurantChange = component(
  'RestaurantChange',
  object({
    at: time(),
    actor: object({ id: id().example(3), name: text(255).example('Marta'), role: oneOf(...roles).example('manager') }),
    before: restaurantValues.example({ accent: null }),
    after: restaurantValues.example({ accent: '#b03420' }),
  }),
);
export type RestaurantChange = Infer<typeof restaurantChange>;

export const listRestaurantChanges = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/restaurant-changes',
  name: 'listRestaurantChanges',
  who: manager,
  summary: "List the changes of the restaurant's settings, newest first",
  details: `Each entry has the settings that differ, before and after. Of the guests' Wi-Fi it says only that it has changed. Entries are kept for ${auditDays} days.`,
  query: pagesByTimeOfEvents,
  responses: { 200: { about: 'One page', body: list(restaurantChange), headers: ['Link'] } },
  problems: [],
});

export const restaurantChanges = [listRestaurantChanges];
