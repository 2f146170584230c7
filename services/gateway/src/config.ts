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
import { settingTexts } from '@comanda/shared/config/setting-texts';
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
  ordersUrl: serviceUrl('ORDERS_URL', 3001, settingTexts.ordersUrl),
  authStepupUrl: serviceUrl('AUTH_STEPUP_URL', 3002, settingTexts.authStepupUrl),
  transfersUrl: serviceUrl('TRANSFERS_URL', 3003, settingTexts.transfersUrl),
  notifierUrl: serviceUrl('NOTIFIER_URL', 3004, 'URL of the notifier'),
  notifierPublicUrl: serviceUrl('NOTIFIER_PUBLIC_URL', 3004, "URL at which the staff's browsers reach the notifier"),
  publicUrl: serviceUrl('PUBLIC_URL', 3000, settingTexts.publicUrl),
  staffUrl: staffUrlSetting,
  allowedOrigins: allowedOriginsSetting,
  trustedProxies: trustedProxiesSetting,
  proxyHops: proxyHopsSetting,
  rateLimitUser: limit(
    'RATE_LIMIT_USER',
    600,
    'Requests per minute of one customer or guest. Each gateway counts on its own',
  ),
  rateLimitStaff: limit(
    'RATE_LIMIT_STAFF',
    6000,
    'Requests per minute of one staff account, which many screens may share',
  ),
  rateLimitAddress: limit(
    'RATE_LIMIT_ADDRESS',
    1200,
    "Requests per minute without a valid token, for each IP address and endpoint. App files aren't counted, and auth-stepup limits token refreshes itself",
  ),
  rateLimitFiles: limit(
    'RATE_LIMIT_FILES',
    6_000,
    'Dish photos per minute and IP address. Every phone in a restaurant loads the whole menu',
  ),
  rateLimitRefused: limit(
    'RATE_LIMIT_REFUSED',
    1200,
    "Rejected requests (400, 401, 404, 405 …) per minute and IP address without a valid token. More get 429. Other requests aren't affected",
  ),
  rateLimitAddressUsers: limit(
    'RATE_LIMIT_ADDRESS_USERS',
    24_000,
    'Requests per minute of all guests and customers at one IP address',
  ),
  rateLimitFeed: limit('RATE_LIMIT_FEED', 6000, settingTexts.rateLimitFeed),
  rateLimitStepUp: limit(
    'RATE_LIMIT_STEP_UP',
    10,
    'PIN checks, password checks and payee lookups per minute and user, across all gateways. If Redis takes longer than 50 ms, each gateway counts on its own',
  ),
  feedLimit: limit('FEED_LIMIT', 5000, 'Open live feeds in total'),
  feedLimitAddress: limit('FEED_LIMIT_ADDRESS', 1000, settingTexts.feedLimitAddress),
  feedPendingLimit: limit('FEED_PENDING_LIMIT', 1000, settingTexts.feedPendingLimit),
  feedPendingLimitAddress: limit('FEED_PENDING_LIMIT_ADDRESS', 64, settingTexts.feedPendingLimitAddress),
  drainWindowMs: setting(
    'DRAIN_WINDOW_MS',
    Joi.number().integer().min(0).max(15_000).default(10_000),
    settingTexts.drainWindowMs,
  ),
  connectionLimitAddress: limit(
    'CONNECTION_LIMIT_ADDRESS',
    4000,
    'Open connections per IP address, including live feeds. At the limit, the one idle or unread for longest is closed',
  ),
  unfinishedLimitAddress: limit(
    'UNFINISHED_LIMIT_ADDRESS',
    512,
    'Incomplete requests per IP address, with headers or body missing. At the limit, the oldest is closed',
  ),
  upstreamLimit: limit(
    'UPSTREAM_LIMIT',
    1024,
    "Requests in flight per service. At the limit, the oldest one whose client doesn't read is closed. Without one, further requests get 503",
  ),
  upstreamTimeoutMs: limit('UPSTREAM_TIMEOUT_MS', 10_000, 'How long a service may stay silent'),
  tableAppFolder: folder('TABLE_APP_FOLDER', "Folder with the built guests' app. Without it, `/` returns 404"),
  kitchenAppFolder: folder(
    'KITCHEN_APP_FOLDER',
    "Folder with the built staff's app. Without it, `/kitchen` returns 404",
  ),
};
export type GatewayConfig = ConfigOf<typeof gatewaySettings>;
