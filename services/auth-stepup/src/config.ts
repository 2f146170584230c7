import {
  commonSettings,
  httpUrl,
  listSetting,
  mongodbSettings,
  rabbitmqSettings,
  redisSettings,
  secretSetting,
  setting,
  tokenSettings,
  trustedProxiesSetting,
} from '@comanda/shared/config/load-config';
import type { ConfigOf } from '@comanda/shared/config/load-config';
import { detailsTypes } from '@comanda/contracts/security';
import { sealingSettings } from '@comanda/shared/crypto/seal';
import Joi from 'joi';

const { tokenIssuer, tokenAudience } = tokenSettings;
const positive = (otherwise: number) => Joi.number().integer().min(1).default(otherwise);
const pepper = /^[A-Za-z0-9_-]{1,32}:[A-Za-z0-9+/_-]{22,}={0,2}$/;

export const authStepupSettings = {
  ...commonSettings(3002),
  ...mongodbSettings('comanda_auth'),
  ...redisSettings,
  ...rabbitmqSettings,
  ...sealingSettings,
  tokenIssuer,
  tokenAudience,
  pinPepper: secretSetting(
    'PIN_PEPPER',
    Joi.string()
      .custom((value: string, rule) =>
        value.split(',').every((each) => pepper.test(each)) ? value : rule.error('any.invalid'),
      )
      .required(),
    'What PINs are hashed with besides bcrypt: `id:base64` of 16 bytes or more; more than one separated by commas, the first is the current one',
  ),
  publicUrl: setting(
    'PUBLIC_URL',
    httpUrl.default('http://localhost:3000'),
    "Where guests reach the house, for the tables' QR codes",
  ),
  transfersUrl: setting(
    'TRANSFERS_URL',
    httpUrl.default('http://127.0.0.1:3003'),
    'Where the public keys of receipts are asked for, to stand in the key set of the house',
  ),
  // The gateway on the same machine; anything further away has to be named.
  trustedProxies: { ...trustedProxiesSetting, schema: trustedProxiesSetting.schema.default(['loopback']) },
  keyRotationDays: setting('KEY_ROTATION_DAYS', positive(30), 'After how many days the next key signs'),
  hashWorkers: setting('HASH_WORKERS', positive(2), 'Threads that hash passwords and PINs'),
  hashQueue: setting('HASH_QUEUE', positive(24), 'Hashes that may wait for a thread; past it calls are 503'),
  signInLimit: setting('RATE_LIMIT_SIGN_IN', positive(10), 'Sign-ins a minute for one address with one e-mail'),
  signInFailuresLimit: setting(
    'RATE_LIMIT_SIGN_IN_FAILURES',
    positive(30),
    'Wrong passwords an hour for one e-mail, wherever they come from',
  ),
  pinSignInAfterBlock: setting(
    'PIN_SIGN_IN_AFTER_BLOCK',
    Joi.boolean().default(false),
    'Whether the first try after a block needs a sign-in later than the block',
  ),
  pinLifetimeFailures: setting(
    'PIN_LIFETIME_FAILURES',
    Joi.number().integer().min(3).allow(null).default(null) as Joi.AnySchema as Joi.AnySchema<number | null>,
    'After how many wrong PINs in a row only a reset helps; never by default',
  ),
  stepUpDetailsRequired: setting(
    'STEP_UP_DETAILS_REQUIRED',
    // One that is misspelt, or that knows no details, would promise what nobody keeps.
    listSetting(Joi.string().valid(...Object.keys(detailsTypes))),
    `Endpoint keys whose step-up tokens must name authorization_details, of ${Object.keys(detailsTypes).join(', ')}`,
  ),
  guestLimit: setting('RATE_LIMIT_GUEST', positive(60), 'Guests a minute for one table token'),
};
export type AuthStepupConfig = ConfigOf<typeof authStepupSettings>;
