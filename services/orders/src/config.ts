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
import { tracingSettings } from '@comanda/shared/tracing/tracing-settings';
import { callerSecretsSettings, serviceSecretSettings } from '@comanda/shared/http/service-signature';
import { customerOrderPlaces, type CustomerOrders } from './orders/customer-limits.ts';

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
    'Currency of all prices [ISO 4217]',
  ),
  timeZone: setting(
    'TIME_ZONE',
    Joi.string()
      .custom((value: string, rule) => (isTimeZone(value) ? value : rule.error('any.invalid')))
      .default('America/Sao_Paulo'),
    'Time zone of the restaurant [IANA]. Both apps show all times in it',
  ),
  dayStartsAt: setting(
    'DAY_STARTS_AT',
    Joi.string()
      .pattern(/^([01]\d|2[0-3]):[0-5]\d$/)
      .default(defaultDayStartsAt),
    "When a business day begins there, `HH:MM`: tickets count from 1 again, and so do the evening's takings. A time at which nobody orders",
  ),
  customerOrders: setting(
    'CUSTOMER_ORDERS',
    Joi.string()
      .valid(...customerOrderPlaces)
      .default('anywhere') as Joi.AnySchema as Joi.AnySchema<CustomerOrders>,
    "Where customers order from: `anywhere`: also without a table's code; `seated`: only those who have scanned one, so that whoever just registers cannot order",
  ),
  customerOpenOrders: setting(
    'CUSTOMER_OPEN_ORDERS',
    limit,
    'Open orders that one customer without a seat may have; no limit by default',
  ),
  customerOpenItems: setting(
    'CUSTOMER_OPEN_ITEMS',
    limit,
    'Open items that one customer without a seat may have; no limit by default',
  ),
  customerPortionPercent: setting(
    'CUSTOMER_PORTION_PERCENT',
    Joi.number().integer().min(1).max(100).default(100),
    'How much of the portions of a dish one customer without a seat may have, in percent of what is left',
  ),
  archiveAfterDays: setting(
    'ARCHIVE_AFTER_DAYS',
    // At least 2, because an idempotency key is valid for 24 h.
    Joi.number().integer().min(2).max(36_500).default(90),
    'After how many days a delivered or cancelled order is archived: it is found by its id, and not in lists',
  ),
  authStepupUrl: urlSetting('AUTH_STEPUP_URL', {
    ofOneMachine: 'http://127.0.0.1:3002',
    about: 'The URL of auth-stepup, which spends step-up tokens',
  }),
  menuStepUp: setting(
    'MENU_STEP_UP',
    Joi.string().valid('off', 'on').default('off') as Joi.AnySchema as Joi.AnySchema<'off' | 'on'>,
    'Whether a new dish, and another name or price of a dish, need the PIN of a manager: `on`, or `off`',
  ),
  orderQueueLimit: setting(
    'ORDER_QUEUE_LIMIT',
    Joi.number().integer().min(1).default(2048),
    'How many writes of orders may wait for the next batch. More are answered 503',
  ),
};
export type OrdersConfig = ConfigOf<typeof ordersSettings>;
