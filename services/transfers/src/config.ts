import Joi from 'joi';
import { defaultCurrency } from '@comanda/contracts/rules';
import { currencies } from '@comanda/contracts/money';
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
import { sealingSettings } from '@comanda/shared/crypto/seal';
import { pixSettings } from './pix/pix-settings.ts';

export const transfersSettings = {
  ...commonSettings(3003),
  ...tracingSettings,
  ...tokenSettings,
  ...serviceSecretSettings,
  ...callerSecretsSettings,
  ...mongodbSettings('comanda_transfers'),
  ...rabbitmqSettings,
  ...sealingSettings,
  ...pixSettings,
  nodeEnv: setting('NODE_ENV', Joi.string().default('development'), settingTexts.nodeEnv),
  authStepupUrl: urlSetting('AUTH_STEPUP_URL', {
    ofOneMachine: 'http://127.0.0.1:3002',
    about: settingTexts.authStepupUrl,
  }),
  ordersUrl: urlSetting('ORDERS_URL', {
    ofOneMachine: 'http://127.0.0.1:3001',
    about: settingTexts.ordersUrl,
  }),
  checkpointEveryS: setting(
    'CHECKPOINT_EVERY_S',
    Joi.number().integer().min(1).max(86_400).default(60),
    'Longest time between checkpoints, which sign the newest entries of all changed accounts and the rejected requests. Rows written after the newest checkpoint can be deleted from the database unnoticed',
  ),
  currency: setting(
    'CURRENCY',
    Joi.string<(typeof currencies)[number]>()
      .valid(...currencies)
      .default(defaultCurrency),
    settingTexts.currency,
  ),
  maxAccountsPerOwner: setting(
    'MAX_ACCOUNTS_PER_OWNER',
    Joi.number().integer().min(1).max(100_000).default(20),
    'Accounts per owner. Another one is 409 `too_many_accounts`',
  ),
};
export type TransfersConfig = ConfigOf<typeof transfersSettings>;
