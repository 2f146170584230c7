import Joi from 'joi';
import { metricsSettings } from '@comanda/shared/http/metrics-port';
import {
  allowedOriginsSetting,
  commonSettings,
  httpUrl,
  proxyHopsSetting,
  redisSettings,
  setting,
  staffUrlSetting,
  tokenSettings,
  trustedProxiesSetting,
  urlSetting,
  type ConfigOf,
  type Setting,
} from '@comanda/shared/config/load-config';
import { tracingSettings } from '@comanda/shared/tracing/tracing-settings';
import { requireTlsSettings } from '@comanda/shared/http/require-tls';
import { tlsSettings } from '@comanda/shared/http/tls-files';
import { serviceSecretSettings } from '@comanda/shared/http/service-signature';

const serviceUrl = (env: string, port: number, about: string): Setting<string> =>
  urlSetting(env, {
    schema: httpUrl.pattern(/^https?:\/\/[^/?#]+$/),
    ofOneMachine: `http://127.0.0.1:${port}`,
    about,
  });
const limit = (env: string, defaultValue: number, about: string): Setting<number> =>
  setting(env, Joi.number().integer().min(1).max(1_000_000_000).default(defaultValue), about);
const folder = (env: string, about: string): Setting<string> => setting(env, Joi.string().allow('').default(''), about);

export const gatewaySettings = {
  ...commonSettings(3000),
  ...tracingSettings,
  ...metricsSettings(9000),
  ...tlsSettings,
  ...requireTlsSettings,
  ...tokenSettings,
  ...serviceSecretSettings,
  ...redisSettings,
  ordersUrl: serviceUrl('ORDERS_URL', 3001, 'The URL of orders'),
  authStepupUrl: serviceUrl('AUTH_STEPUP_URL', 3002, 'The URL of auth-stepup'),
  transfersUrl: serviceUrl('TRANSFERS_URL', 3003, 'The URL of transfers'),
  notifierUrl: serviceUrl('NOTIFIER_URL', 3004, 'The URL of the notifier'),
  notifierPublicUrl: serviceUrl('NOTIFIER_PUBLIC_URL', 3004, 'The URL of the notifier for the kitchen app'),
  publicUrl: serviceUrl('PUBLIC_URL', 3000, 'The URL of this gateway for browsers'),
  staffUrl: staffUrlSetting,
  allowedOrigins: allowedOriginsSetting,
  trustedProxies: trustedProxiesSetting,
  proxyHops: proxyHopsSetting,
  rateLimitUser: limit('RATE_LIMIT_USER', 600, 'Requests per minute and customer or guest'),
  rateLimitStaff: limit(
    'RATE_LIMIT_STAFF',
    6000,
    'Requests per minute and member of staff: many screens may be signed in with one account',
  ),
  rateLimitAddress: limit(
    'RATE_LIMIT_ADDRESS',
    1200,
    'Requests per minute and address without a valid token, of each endpoint for itself',
  ),
  rateLimitFiles: limit(
    'RATE_LIMIT_FILES',
    6_000,
    'Pictures of dishes per minute and address: every phone of a restaurant loads all of the menu',
  ),
  rateLimitRefused: limit(
    'RATE_LIMIT_REFUSED',
    1200,
    'Refused requests per minute and address without a valid token; they take nothing from other requests',
  ),
  rateLimitAddressUsers: limit(
    'RATE_LIMIT_ADDRESS_USERS',
    24_000,
    'Requests per minute of all guests and customers of one address',
  ),
  rateLimitFeed: limit('RATE_LIMIT_FEED', 6000, 'Handshakes of the live feed per minute and address'),
  rateLimitStepUp: limit(
    'RATE_LIMIT_STEP_UP',
    10,
    'Checks of a PIN or a password, and questions whose account it is, per minute and user, over all gateways',
  ),
  feedLimit: limit('FEED_LIMIT', 5000, 'Open live feeds in total'),
  feedLimitAddress: limit('FEED_LIMIT_ADDRESS', 1000, 'Open live feeds per address'),
  feedPendingLimit: limit('FEED_PENDING_LIMIT', 1000, 'Sockets in total that have not sent a valid token yet'),
  feedPendingLimitAddress: limit(
    'FEED_PENDING_LIMIT_ADDRESS',
    64,
    'Sockets per address that have not sent a valid token yet; they take no place of live feeds',
  ),
  drainWindowMs: setting(
    'DRAIN_WINDOW_MS',
    Joi.number().integer().min(0).max(15_000).default(10_000),
    'The time over which live feeds are closed when the gateway stops, in milliseconds',
  ),
  connectionLimitAddress: limit(
    'CONNECTION_LIMIT_ADDRESS',
    4000,
    'Open connections per address, live feeds included; the one that is idle or unread for longest gives way to the next',
  ),
  unfinishedLimitAddress: limit(
    'UNFINISHED_LIMIT_ADDRESS',
    512,
    'Requests per address whose headers or body are not complete; of more, the oldest is closed',
  ),
  upstreamLimit: limit(
    'UPSTREAM_LIMIT',
    1024,
    'Requests in flight per service, of which the oldest gives way whose client does not read; more are answered with 503',
  ),
  upstreamTimeoutMs: limit('UPSTREAM_TIMEOUT_MS', 10_000, 'How long a service may be silent, in ms'),
  tableAppFolder: folder('TABLE_APP_FOLDER', 'The built table app; without it, `/` is 404'),
  kitchenAppFolder: folder('KITCHEN_APP_FOLDER', 'The built kitchen app; without it, `/kitchen` is 404'),
};
export type GatewayConfig = ConfigOf<typeof gatewaySettings>;
