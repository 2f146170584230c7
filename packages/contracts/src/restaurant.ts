import { rate } from './bills.ts';
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
    /** `HH:MM` there: when a day of tickets and takings begins. */
    day_starts_at: optional(text(5).example('04:00')),
    /** In which the menu is written. */
    language: optional(oneOf(...languages).example('pt-BR')),
    service_charge: serviceCharge,
    /** In percent, what an app offers first. */
    tip_suggestions: list(rate()).max(4).example(['5.00', '10.00']),
    /** How much of a bill waiters may discount, in percent of its items. */
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
  summary: 'Get what the restaurant has set',
  responses: { 200: { about: 'The settings', body: restaurant } },
  problems: [],
});
export const putRestaurant = endpoint({
  service: 'orders',
  method: 'PUT',
  path: '/restaurant',
  name: 'putRestaurant',
  who: manager,
  summary: 'Change what the restaurant has set; omitted keys keep their values',
  details: 'A new service charge holds for bills that begin after it. With `version`, it must still be that one.',
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
