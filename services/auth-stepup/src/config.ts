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
import { tracingSettings } from '@comanda/shared/tracing/tracing-settings';
import { secretsByIdSetting } from '@comanda/shared/config/secrets-by-id';
import { stepUpKeys } from '@comanda/contracts/security';
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
      'Secrets that PINs are hashed with before bcrypt: `id:base64` of 16 bytes or more (`openssl rand -base64 32`), separated by commas; the first is the current one',
  }),
  publicUrl: urlSetting('PUBLIC_URL', {
    ofOneMachine: 'http://localhost:3000',
    about: "Where guests reach the system; part of the tables' QR codes",
  }),
  staffUrl: staffUrlSetting,
  transfersUrl: urlSetting('TRANSFERS_URL', {
    ofOneMachine: 'http://127.0.0.1:3003',
    about: 'Where the public keys of receipts are read, for the common key set',
  }),
  ordersUrl: urlSetting('ORDERS_URL', {
    ofOneMachine: 'http://127.0.0.1:3001',
    about: 'Where seatings are ended, when a table is closed, removed or joined with another one',
  }),
  // By default only a gateway on the same machine is trusted. Name any other proxy.
  trustedProxies: { ...trustedProxiesSetting, schema: trustedProxiesSetting.schema.default(['loopback']) },
  keyRotationDays: setting('KEY_ROTATION_DAYS', positive(30), 'Days after which the next key signs'),
  hashWorkers: setting('HASH_WORKERS', positive(2), 'Threads that hash passwords'),
  hashQueue: setting(
    'HASH_QUEUE',
    positive(96),
    'Passwords that may wait for a thread, of one network address a quarter of them from staff, from customers, and from whoever is not signed in; further requests get 503',
  ),
  hashWaitMs: setting(
    'HASH_WAIT_MS',
    positive(3000),
    'How long a password waits for a thread, in milliseconds; after that the request gets 503, and the password is not hashed',
  ),
  nodeEnv: setting(
    'NODE_ENV',
    Joi.string().default('development'),
    'With `production`, Redis must have an append-only file',
  ),
  pinHashWorkers: setting('PIN_HASH_WORKERS', positive(2), 'Threads that hash PINs'),
  pinHashQueue: setting(
    'PIN_HASH_QUEUE',
    positive(24),
    'PINs that may wait for a thread, of one network address a quarter of them from staff, from customers whose PIN is older than a day, and from its other customers; further requests get 503',
  ),
  pinHashWaitMs: setting(
    'PIN_HASH_WAIT_MS',
    positive(1000),
    'How long a PIN waits for a thread, in milliseconds; after that the request gets 503, and the PIN is not hashed',
  ),
  signInLimit: setting(
    'RATE_LIMIT_SIGN_IN',
    positive(10),
    'Sign-ins per minute from one network address with one e-mail address',
  ),
  addressSignInLimit: setting(
    'RATE_LIMIT_SIGN_IN_ADDRESS',
    positive(60),
    'Sign-ins per minute from one network address, whatever the e-mail address',
  ),
  registrationLimit: setting(
    'RATE_LIMIT_REGISTRATION',
    positive(20),
    'Registrations per minute from one network address',
  ),
  signInFailuresLimit: setting(
    'RATE_LIMIT_SIGN_IN_FAILURES',
    positive(30),
    'Wrong passwords per hour for one e-mail address, from all network addresses; for each session, and for each device that has signed in before, as many apart',
  ),
  passwordMaxFailures: setting(
    'PASSWORD_MAX_FAILURES',
    positive(100),
    "Wrong passwords of a user in a row, after which none is accepted until a manager sets another one, or the user's PIN is entered where the user is still signed in",
  ),
  pinSignInAfterBlock: setting(
    'PIN_SIGN_IN_AFTER_BLOCK',
    Joi.boolean().default(false),
    'Whether the first attempt after a block needs a sign-in that is later than the block',
  ),
  pinLifetimeFailures: setting(
    'PIN_LIFETIME_FAILURES',
    Joi.number().integer().min(3).allow(null).default(null) as Joi.AnySchema as Joi.AnySchema<number | null>,
    'Consecutive wrong PINs after which only a reset helps; never by default',
  ),
  stepUpDetailsRequired: setting(
    'STEP_UP_DETAILS_REQUIRED',
    // Rejects misspelt keys and keys without details, because neither would protect anything.
    listSetting(Joi.string().valid(...stepUpKeys.keys())),
    `Endpoint keys whose step-up tokens must have authorization_details; possible: ${[...stepUpKeys.keys()].join(', ')}`,
  ),
  seatingOpenedBy: setting(
    'SEATING_OPENED_BY',
    Joi.string()
      .valid(...seatingOpeners)
      .default('guest') as Joi.AnySchema as Joi.AnySchema<SeatingOpener>,
    'Who opens a seating: `guest`: the first scan of the QR code; `staff`: only `POST /tables/{table}/open`, so that a photographed code is of no use at a table that is not open',
  ),
  tableCleaning: setting(
    'TABLE_CLEANING',
    Joi.string().valid('off', 'on').default('off') as Joi.AnySchema as Joi.AnySchema<'off' | 'on'>,
    'Whether a table that its guests have left waits to be cleaned: `on`, or `off`: it is free at once',
  ),
  sessionDays: setting(
    'SESSION_DAYS',
    positive(30),
    'Days after which a session ends, however often it is used; without use it ends after 30 days',
  ),
  managerSessionHours: setting(
    'MANAGER_SESSION_HOURS',
    positive(24),
    "Hours after which a manager's session ends, however often it is used",
  ),
  refreshLimit: setting('RATE_LIMIT_REFRESH', positive(60), 'Exchanges of refresh tokens per minute of one session'),
  forgedRefreshLimit: setting(
    'RATE_LIMIT_REFRESH_FORGED',
    positive(600),
    'Refresh tokens per minute from one network address that were never issued here',
  ),
  guestLimit: setting('RATE_LIMIT_GUEST', positive(60), 'Guest sessions per minute of one table token'),
};
export type AuthStepupConfig = ConfigOf<typeof authStepupSettings>;
