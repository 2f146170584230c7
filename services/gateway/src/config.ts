import Joi from 'joi';
import {
  allowedOriginsSetting,
  commonSettings,
  httpUrl,
  redisSettings,
  setting,
  tokenSettings,
  trustedProxiesSetting,
} from '@comanda/shared/config/load-config';
import type { ConfigOf, Setting } from '@comanda/shared/config/load-config';

const service = (env: string, port: number, about: string): Setting<string> =>
  setting(env, httpUrl.pattern(/^https?:\/\/[^/?#]+$/).default(`http://127.0.0.1:${port}`), about);
const limit = (env: string, byDefault: number, about: string): Setting<number> =>
  setting(env, Joi.number().integer().min(1).max(1_000_000_000).default(byDefault), about);
const folder = (env: string, about: string): Setting<string> => setting(env, Joi.string().allow('').default(''), about);

export const gatewaySettings = {
  ...commonSettings(3000),
  ...tokenSettings,
  ...redisSettings,
  ordersUrl: service('ORDERS_URL', 3001, 'Where orders is'),
  authStepupUrl: service('AUTH_STEPUP_URL', 3002, 'Where auth-stepup is'),
  transfersUrl: service('TRANSFERS_URL', 3003, 'Where transfers is'),
  notifierUrl: service('NOTIFIER_URL', 3004, 'Where the notifier is'),
  notifierPublicUrl: service('NOTIFIER_PUBLIC_URL', 3004, 'Where the kitchen app finds the notifier itself'),
  publicUrl: service('PUBLIC_URL', 3000, 'Where browsers find this gateway'),
  allowedOrigins: allowedOriginsSetting,
  trustedProxies: trustedProxiesSetting,
  rateLimitUser: limit('RATE_LIMIT_USER', 600, 'Requests a minute of one user'),
  rateLimitAddress: limit('RATE_LIMIT_ADDRESS', 1200, 'Requests a minute of one address, without a valid token'),
  rateLimitStepUp: limit('RATE_LIMIT_STEP_UP', 10, 'PIN checks for step-up a minute of one user, over all gateways'),
  feedLimit: limit('FEED_LIMIT', 5000, 'Live feeds at once through this gateway'),
  feedLimitAddress: limit('FEED_LIMIT_ADDRESS', 1000, 'Live feeds at once of one address'),
  upstreamLimit: limit('UPSTREAM_LIMIT', 1024, 'Requests at once at one service; more are 503'),
  upstreamTimeoutMs: limit('UPSTREAM_TIMEOUT_MS', 10_000, 'How long a service may take to answer, in ms'),
  tableAppFolder: folder('TABLE_APP_FOLDER', 'The built table app; none: `/` is 404'),
  kitchenAppFolder: folder('KITCHEN_APP_FOLDER', 'The built kitchen app; none: `/kitchen` is 404'),
};
export type GatewayConfig = ConfigOf<typeof gatewaySettings>;
