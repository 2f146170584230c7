import Joi from 'joi';
import {
  commonSettings,
  mongodbSettings,
  rabbitmqSettings,
  secretSetting,
  setting,
  tokenSettings,
} from '@comanda/shared/config/load-config';
import type { ConfigOf } from '@comanda/shared/config/load-config';

export const transfersSettings = {
  ...commonSettings(3003),
  ...tokenSettings,
  ...mongodbSettings('comanda_transfers'),
  ...rabbitmqSettings,
  authStepupUrl: setting(
    'AUTH_STEPUP_URL',
    Joi.string()
      .uri({ scheme: ['http', 'https'] })
      .default('http://127.0.0.1:3002'),
    'Where step-up tokens are consumed',
  ),
  keySealingSecret: secretSetting(
    'KEY_SEALING_SECRET',
    Joi.string()
      .base64()
      .custom((value: string, rule) => (Buffer.from(value, 'base64').length === 32 ? value : rule.error('any.invalid')))
      .required(),
    'What the signing key of receipts is sealed with: 32 bytes as base64',
  ),
  currency: setting(
    'CURRENCY',
    Joi.string<'BRL' | 'USD' | 'EUR'>().valid('BRL', 'USD', 'EUR').default('BRL'),
    "The house's currency, of accounts that name none",
  ),
};
export type TransfersConfig = ConfigOf<typeof transfersSettings>;
