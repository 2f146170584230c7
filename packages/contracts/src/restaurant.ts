import Joi from 'joi';
import { endpoint, manager } from './endpoint.ts';
import { pictureUrl } from './picture-address.ts';
import { accentContrast, languages, maxCategoryLimits } from './rules.ts';
import {
  component,
  count,
  currencyCode,
  line,
  list,
  nullable,
  object,
  oneOf,
  optional,
  rate,
  secret,
  text,
  yesOrNo,
  type Infer,
} from './schema.ts';
import { minutes } from './stations.ts';

const exampleLogo = pictureUrl('0c86bdb2c6f8a64b0d4d1a7b3d1d5b6f4cf2c3bb8b7d7a0f7d4e9d0d6d3c1f2a');
/** Creates a schema for the address of an uploaded picture. A size in its query is accepted, and removed. */
const uploadedPicture = () =>
  Joi.string()
    .max(255)
    .pattern(/^\/menu-pictures\/[0-9a-f]{64}(\?width=[0-9]{1,4})?$/)
    .messages({ 'string.pattern.base': '{{#label}} must be the image_url that POST /menu-pictures returned' })
    .example(exampleLogo);
const colour = () =>
  Joi.string()
    .pattern(/^#[0-9A-Fa-f]{6}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a colour such as "#b03420"' })
    .example('#b03420');
const limits = { amber_minutes: minutes().example(15), late_minutes: minutes().example(22) };
/** The maximum length of a network's name, in bytes of UTF-8 [IEEE 802.11]. */
const maxSsidBytes = 32;
/** Creates a schema for a network's name. */
const ssid = () =>
  line(maxSsidBytes)
    .custom((value: string, rule) =>
      new TextEncoder().encode(value).length > maxSsidBytes
        ? rule.message({ custom: `{{#label}} must have at most ${maxSsidBytes} bytes in UTF-8` })
        : value,
    )
    .example('Comanda guests');
/** Creates a schema for a WPA passphrase, or for a key of 64 hexadecimal digits. */
const wifiPassword = () =>
  secret(64, 8)
    .pattern(/^([\u0020-\u007e]{8,63}|[0-9A-Fa-f]{64})$/)
    .messages({ 'string.pattern.base': '{{#label}} must have 8 to 63 ASCII characters, or 64 hexadecimal digits' })
    .example('boa-comida-2026');
/** The guests' Wi-Fi, for printed codes. `password` is null for an open network. */
const wifi = object({ ssid: ssid(), password: nullable(wifiPassword()) });
export type Wifi = Infer<typeof wifi>;

const serviceCharge = object({ rate: rate(), optional: yesOrNo().example(true) });
/** The settings that managers change, as responses and events show them. */
export const shownSettings = {
  name: text(60).example('Comanda'),
  /** The menu's language. */
  language: optional(oneOf(...languages).example('pt-BR')),
  service_charge: serviceCharge,
  /** The tips that an app offers first, in percent. */
  tip_suggestions: list(rate()).max(4).example(['5.00', '10.00']),
  /** The highest discount on a bill that waiters may give, in percent of the price of its items. */
  waiter_discount_limit: rate(),
  /** The address of the logo, an uploaded picture. */
  logo: optional(nullable(text(255).example(exampleLogo))),
  /** The colour of the main buttons in the guests' app, instead of its own. */
  accent: optional(nullable(text(7).example('#b03420'))),
  /**
   * After how many minutes the dishes of a category turn amber and are late. A dish's own limits at its station come before
   * these, and the station's after.
   */
  category_limits: optional(list(object({ category: text(64).example('Mains'), ...limits }))),
};
export const restaurant = component(
  'Restaurant',
  object({
    ...shownSettings,
    currency: currencyCode(),
    time_zone: text(64).example('America/Sao_Paulo'),
    /** The local time `HH:MM` at which the business day starts, for tickets and takings. */
    day_starts_at: optional(text(5).example('04:00')),
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
  details: `A new service charge applies to bills opened later. With \`version\`, the change succeeds only if that is still the current version. \`logo\` is a picture that was uploaded with \`POST /menu-pictures\`. White text on \`accent\` needs a contrast of at least ${accentContrast.atLeast}:1 [WCAG 2.2, 1.4.3]; otherwise 422. \`category_limits\` replaces all limits of categories; \`amber_minutes\` must be less than \`late_minutes\`. A dish's own limits at its station come before its category's, and the station's after (\`PUT /stations\`). \`wifi\` is the guests' network, for printed codes: only \`GET /restaurant/wifi\` returns it. Null removes \`logo\`, \`accent\` or \`wifi\`; a null \`password\` means an open network.`,
  body: object({
    name: optional(line(60)),
    language: optional(oneOf(...languages)),
    service_charge: optional(serviceCharge),
    tip_suggestions: optional(list(rate()).max(4).unique()),
    waiter_discount_limit: optional(rate()),
    logo: optional(nullable(uploadedPicture())),
    accent: optional(nullable(colour())),
    category_limits: optional(list(object({ category: line(64).example('Mains'), ...limits })).max(maxCategoryLimits)),
    wifi: optional(nullable(wifi)),
    version: optional(count()),
  })
    .min(1)
    .example({ service_charge: { rate: '10.00', optional: true } }),
  responses: { 200: { about: 'The settings', body: restaurant } },
  problems: ['unprocessable_content', 'version_mismatch'],
});
export const getWifi = endpoint({
  service: 'orders',
  method: 'GET',
  path: '/restaurant/wifi',
  name: 'getWifi',
  who: manager,
  summary: "Get the guests' Wi-Fi, for printed codes",
  details: 'Set it with `PUT /restaurant`. `wifi` is null if a manager has set none.',
  responses: {
    200: { about: "The guests' Wi-Fi", body: object({ wifi: nullable(wifi), version: count().example(3) }) },
  },
  problems: [],
});

export const restaurantEndpoints = [getRestaurant, putRestaurant, getWifi];
