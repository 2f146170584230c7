import Joi from 'joi';
import { defaultCurrency } from '@comanda/contracts/rules';
import {
  commonSettings,
  mongodbSettings,
  rabbitmqSettings,
  setting,
  tokenSettings,
  type ConfigOf,
} from '@comanda/shared/config/load-config';
import { serviceSecretSettings } from '@comanda/shared/http/service-signature';

const isTimeZone = (name: string): boolean => {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};

export const ordersSettings = {
  ...commonSettings(3001),
  ...tokenSettings,
  ...serviceSecretSettings,
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
    'Time zone of the restaurant [IANA]. Tickets count from 1 on each of its days',
  ),
  orderQueueLimit: setting(
    'ORDER_QUEUE_LIMIT',
    Joi.number().integer().min(1).default(2048),
    'How many writes of orders may wait for the next batch. More are answered 503',
  ),
};
export type OrdersConfig = ConfigOf<typeof ordersSettings>;
