import { endpoint, manager } from './endpoint.ts';
import { languages } from './rules.ts';
import {
  component,
  count,
  currencyCode,
  line,
  list,
  object,
  oneOf,
  optional,
  rate,
  text,
  yesOrNo,
  type Infer,
} from './schema.ts';

const serviceCharge = object({ rate: rate(), optional: yesOrNo().example(true) });
export const restaurant = component(
  'Restaurant',
  object({
    name: text(60).example('Comanda'),
    currency: currencyCode(),
    time_zone: text(64).example('America/Sao_Paulo'),
    /** The local time `HH:MM` at which the business day starts, for tickets and takings. */
    day_starts_at: optional(text(5).example('04:00')),
    /** The menu's language. */
    language: optional(oneOf(...languages).example('pt-BR')),
    service_charge: serviceCharge,
    /** The tips that an app offers first, in percent. */
    tip_suggestions: list(rate()).max(4).example(['5.00', '10.00']),
    /** The highest discount on a bill that waiters may give, in percent of the price of its items. */
    waiter_discount_limit: rate(),
    version: count().example(3),
  }),
);
export type Restaurant = Infer<typeof restaurant>;

export const getRestaurant = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/restaurant',
  name: 'getRestaurant',
  who: 'anyone',
  summary: "Get the restaurant's settings",
  responses: { 200: { about: 'The settings', body: restaurant } },
  problems: [],
});
export const putRestaurant = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/restaurant',
  name: 'putRestaurant',
  who: manager,
  summary: "Change the restaurant's settings; omitted fields keep their values",
  details:
    'A new service charge applies to bills opened later. With `version`, the change succeeds only if that is still the current version.',
  body: object({
    name: optional(line(60)),
    language: optional(oneOf(...languages)),
    service_charge: optional(serviceCharge),
    tip_suggestions: optional(list(rate()).max(4).unique()),
    waiter_discount_limit: optional(rate()),
    version: optional(count()),
  })
    .min(1)
    .example({ service_charge: { rate: '10.00', optional: true } }),
  responses: { 200: { about: 'The settings', body: restaurant } },
  problems: ['version_mismatch'],
});

export const restaurantEndpoints = [getRestaurant, putRestaurant];
