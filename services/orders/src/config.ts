import Joi from 'joi';
import { defaultDayStartsAt, isTimeZone } from '@comanda/contracts/restaurant-clock';
import { defaultCurrency } from '@comanda/contracts/rules';
import {
  commonSettings,
  mongodbSettings,
  rabbitmqSettings,
  setting,
  urlSetting,
  tokenSettings,
  type ConfigOf,
} from '@comanda/shared/config/load-config';
import { settingTexts } from '@comanda/shared/config/setting-texts';
import { tracingSettings } from '@comanda/shared/tracing/tracing-settings';
import { callerSecretsSettings, serviceSecretSettings } from '@comanda/shared/http/service-signature';

/** Where customers can order: anywhere, or only in a seat, after scanning a table's code. */
const customerOrderPlaces = ['anywhere', 'seated'] as const;
const limit = Joi.number().integer().min(1).allow(null).default(null) as Joi.AnySchema as Joi.AnySchema<number | null>;

export const ordersSettings = {
  ...commonSettings(3001),
  ...tracingSettings,
  ...tokenSettings,
  ...serviceSecretSettings,
  ...callerSecretsSettings,
  ...mongodbSettings('comanda_orders'),
  ...rabbitmqSettings,
  currency: setting(
    'CURRENCY',
    Joi.string()
      .pattern(/^[A-Z]{3}$/)
      .default(defaultCurrency),
    settingTexts.currency,
  ),
  timeZone: setting(
    'TIME_ZONE',
    Joi.string()
      .custom((value: string, rule) => (isTimeZone(value) ? value : rule.error('any.invalid')))
      .default('America/Sao_Paulo'),
    "The restaurant's time zone [IANA]. Both apps show all times in it",
  ),
  dayStartsAt: setting(
    'DAY_STARTS_AT',
    Joi.string()
      .pattern(/^([01]\d|2[0-3]):[0-5]\d$/)
      .default(defaultDayStartsAt),
    "When a business day starts in the restaurant's time zone, `HH:MM`. Tickets then count from 1 again, and the day's revenue starts at zero. Choose an hour without orders",
  ),
  customerOrders: setting(
    'CUSTOMER_ORDERS',
    Joi.string()
      .valid(...customerOrderPlaces)
      .default('anywhere') as Joi.AnySchema as Joi.AnySchema<(typeof customerOrderPlaces)[number]>,
    "Where customers may order. `anywhere`: with or without a table's QR code. `seated`: only after scanning one. In production, the compose file and the charts set `seated`",
  ),
  customerOpenOrders: setting(
    'CUSTOMER_OPEN_ORDERS',
    limit,
    'Open orders of one customer without a seat. Empty for no limit. In production, the compose file and the charts set 10',
  ),
  customerOpenItems: setting(
    'CUSTOMER_OPEN_ITEMS',
    limit,
    'Open items of one customer without a seat. Empty for no limit. In production, the compose file and the charts set 60',
  ),
  customerPortionPercent: setting(
    'CUSTOMER_PORTION_PERCENT',
    Joi.number().integer().min(1).max(100).default(100),
    "Share of a dish's remaining portions that one customer without a seat may have. In production, the compose file and the charts set 33",
  ),
  archiveAfterDays: setting(
    'ARCHIVE_AFTER_DAYS',
    // At least 2 days, because an idempotency key is valid for 24 hours.
    Joi.number().integer().min(2).max(36_500).default(90),
    'Days after which a delivered or cancelled order is archived. You then find it by its id, but not in lists',
  ),
  authStepupUrl: urlSetting('AUTH_STEPUP_URL', {
    ofOneMachine: 'http://127.0.0.1:3002',
    about: settingTexts.authStepupUrl,
  }),
  menuStepUp: setting(
    'MENU_STEP_UP',
    Joi.string().valid('off', 'on').default('off') as Joi.AnySchema as Joi.AnySchema<'off' | 'on'>,
    "`on`: new dishes and options, imports, and new names, prices and options of a dish need a manager's PIN",
  ),
  orderQueueLimit: setting(
    'ORDER_QUEUE_LIMIT',
    Joi.number().integer().min(1).default(2048),
    'Writes of orders that may wait for the next batch. Further writes get 503',
  ),
};
export type OrdersConfig = ConfigOf<typeof ordersSettings>;
