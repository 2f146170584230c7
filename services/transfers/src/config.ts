import Joi from 'joi';
import { defaultCurrency } from '@comanda/contracts/rules';
import { currencies } from '@comanda/contracts/transfers';
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
import { sealingSettings } from '@comanda/shared/crypto/seal';

export const transfersSettings = {
  ...commonSettings(3003),
  ...tracingSettings,
  ...tokenSettings,
  ...serviceSecretSettings,
  ...callerSecretsSettings,
  ...mongodbSettings('comanda_transfers'),
  ...rabbitmqSettings,
  ...sealingSettings,
  authStepupUrl: urlSetting('AUTH_STEPUP_URL', {
    ofOneMachine: 'http://127.0.0.1:3002',
    about: 'Where step-up tokens are consumed',
  }),
  ordersUrl: urlSetting('ORDERS_URL', {
    ofOneMachine: 'http://127.0.0.1:3001',
    about: 'Where payments of bills are claimed and settled',
  }),
  checkpointEveryS: setting(
    'CHECKPOINT_EVERY_S',
    Joi.number().integer().min(1).max(86_400).default(60),
    'Most seconds between checkpoints: signatures over the newest entries of all accounts that changed, and over refused requests. What was written after the newest one can be removed from the database without a trace.',
  ),
  currency: setting(
    'CURRENCY',
    Joi.string<(typeof currencies)[number]>()
      .valid(...currencies)
      .default(defaultCurrency),
    'Currency of accounts for which none is requested',
  ),
  maxAccountsPerOwner: setting(
    'MAX_ACCOUNTS_PER_OWNER',
    Joi.number().integer().min(1).max(100_000).default(20),
    'Most accounts of one owner',
  ),
};
export type TransfersConfig = ConfigOf<typeof transfersSettings>;
