import {
  commonSettings,
  listSetting,
  mongodbSettings,
  rabbitmqSettings,
  redisSettings,
  setting,
  staffUrlSetting,
  urlSetting,
  tokenSettings,
  trustedProxiesSetting,
  type ConfigOf,
} from '@comanda/shared/config/load-config';
import { settingTexts } from '@comanda/shared/config/setting-texts';
import { tracingSettings } from '@comanda/shared/tracing/tracing-settings';
import { secretsByIdSetting } from '@comanda/shared/config/secrets-by-id';
import { stepUpKeys } from '@comanda/contracts/step-up';
import { sealingSettings } from '@comanda/shared/crypto/seal';
import { callerSecretsSettings, serviceSecretSettings } from '@comanda/shared/http/service-signature';
import Joi from 'joi';
import { seatingOpeners, type SeatingOpener } from './tables/table.ts';

const { tokenIssuer, tokenAudience } = tokenSettings;
const positive = (otherwise: number) => Joi.number().integer().min(1).default(otherwise);

export const authStepupSettings = {
  ...commonSettings(3002),
  ...tracingSettings,
  ...mongodbSettings('comanda_auth'),
  ...redisSettings,
  ...rabbitmqSettings,
  ...sealingSettings,
  ...serviceSecretSettings,
  ...callerSecretsSettings,
  tokenIssuer,
  tokenAudience,
  pinPepper: secretsByIdSetting('PIN_PEPPER', {
    isLongEnough: (bytes) => bytes >= 16,
    about:
      'Secrets that PINs are hashed with before bcrypt: `id:base64` of 16 bytes or more (`openssl rand -base64 32`), separated by commas. New PINs get the first one, and other PINs get it when they are next used',
  }),
  publicUrl: urlSetting('PUBLIC_URL', {
    ofOneMachine: 'http://localhost:3000',
    about: settingTexts.publicUrl,
  }),
  staffUrl: staffUrlSetting,
  transfersUrl: urlSetting('TRANSFERS_URL', {
    ofOneMachine: 'http://127.0.0.1:3003',
    about: settingTexts.transfersUrl,
  }),
  ordersUrl: urlSetting('ORDERS_URL', {
    ofOneMachine: 'http://127.0.0.1:3001',
    about: settingTexts.ordersUrl,
  }),
  // By default, only a gateway on the same machine is trusted. Any other proxy must be named.
  trustedProxies: { ...trustedProxiesSetting, schema: trustedProxiesSetting.schema.default(['loopback']) },
  keyRotationDays: setting('KEY_ROTATION_DAYS', positive(30), 'Days after which the next key signs tokens'),
  hashWorkers: setting('HASH_WORKERS', positive(2), 'Threads that hash passwords'),
  hashQueue: setting(
    'HASH_QUEUE',
    positive(96),
    "Passwords that may wait for a thread. At each IP address, staff, customers and clients that aren't signed in get up to a quarter each. Further requests get 503",
  ),
  hashWaitMs: setting(
    'HASH_WAIT_MS',
    positive(3000),
    "How long a password waits for a thread. After that, the request gets 503 and the password isn't hashed",
  ),
  nodeEnv: setting('NODE_ENV', Joi.string().default('development'), settingTexts.nodeEnv),
  pinHashWorkers: setting('PIN_HASH_WORKERS', positive(2), 'Threads that hash PINs'),
  pinHashQueue: setting(
    'PIN_HASH_QUEUE',
    positive(24),
    'PINs that may wait for a thread. At each IP address, staff, customers whose PIN is older than a day, and other customers get up to a quarter each. Further requests get 503',
  ),
  pinHashWaitMs: setting(
    'PIN_HASH_WAIT_MS',
    positive(1000),
    "How long a PIN waits for a thread. After that, the request gets 503 and the PIN isn't hashed",
  ),
  signInLimit: setting(
    'RATE_LIMIT_SIGN_IN',
    positive(10),
    'Sign-ins per minute from one IP address with one email address',
  ),
  addressSignInLimit: setting('RATE_LIMIT_SIGN_IN_ADDRESS', positive(60), 'Sign-ins per minute from one IP address'),
  registrationLimit: setting('RATE_LIMIT_REGISTRATION', positive(20), 'Registrations per minute from one IP address'),
  signInFailuresLimit: setting(
    'RATE_LIMIT_SIGN_IN_FAILURES',
    positive(30),
    'Wrong passwords per hour for one email address, from all IP addresses. Each session and each device that has signed in before has its own limit of this size',
  ),
  passwordMaxFailures: setting(
    'PASSWORD_MAX_FAILURES',
    positive(100),
    'Wrong passwords of a user in a row before the password is blocked. A manager unblocks it with a new password, or the user by entering the PIN in a session that is still open',
  ),
  pinSignInAfterBlock: setting(
    'PIN_SIGN_IN_AFTER_BLOCK',
    Joi.boolean().default(false),
    'Whether the first attempt after a block requires a new sign-in',
  ),
  pinLifetimeFailures: setting(
    'PIN_LIFETIME_FAILURES',
    Joi.number().integer().min(3).allow(null).default(null) as Joi.AnySchema as Joi.AnySchema<number | null>,
    'Wrong PINs in a row before only a reset helps. Empty for no limit',
  ),
  stepUpDetailsRequired: setting(
    'STEP_UP_DETAILS_REQUIRED',
    // Rejects misspelt keys and keys of endpoints that define no details: neither would protect anything.
    listSetting(Joi.string().valid(...stepUpKeys.keys())),
    `Endpoint keys whose step-up tokens must have \`authorization_details\`. Possible: ${[...stepUpKeys.keys()].join(', ')}`,
  ),
  seatingOpenedBy: setting(
    'SEATING_OPENED_BY',
    Joi.string()
      .valid(...seatingOpeners)
      .default('guest') as Joi.AnySchema as Joi.AnySchema<SeatingOpener>,
    "What opens a seating. `guest`: the first scan of the QR code. `staff`: only `POST /tables/{table}/open`, so that a photo of a QR code doesn't work at a closed table",
  ),
  tableCleaning: setting(
    'TABLE_CLEANING',
    Joi.string().valid('off', 'on').default('off') as Joi.AnySchema as Joi.AnySchema<'off' | 'on'>,
    '`on`: a table that its guests have left is `to_clean` until `POST /tables/{table}/clean`. `off`: it is free at once',
  ),
  sessionDays: setting(
    'SESSION_DAYS',
    positive(30),
    'Days after which a session ends, even if it is in use. An unused session ends after 30 days',
  ),
  managerSessionHours: setting(
    'MANAGER_SESSION_HOURS',
    positive(24),
    "Hours after which a manager's session ends, even if it is in use",
  ),
  refreshLimit: setting('RATE_LIMIT_REFRESH', positive(60), 'Refresh token exchanges per minute of one session'),
  forgedRefreshLimit: setting(
    'RATE_LIMIT_REFRESH_FORGED',
    positive(600),
    'Forged refresh tokens per minute from one IP address. Valid ones from there still work',
  ),
  guestLimit: setting('RATE_LIMIT_GUEST', positive(60), "Guest sessions per minute of one table's QR code"),
};
export type AuthStepupConfig = ConfigOf<typeof authStepupSettings>;
