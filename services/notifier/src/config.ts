import Joi from 'joi';
import { metricsSettings } from '@comanda/shared/http/metrics-port';
import {
  allowedOriginsSetting,
  commonSettings,
  proxyHopsSetting,
  rabbitmqSettings,
  setting,
  tokenSettings,
  trustedProxiesSetting,
  type ConfigOf,
} from '@comanda/shared/config/load-config';
import { settingTexts } from '@comanda/shared/config/setting-texts';
import { tracingSettings } from '@comanda/shared/tracing/tracing-settings';
import { requireTlsSettings } from '@comanda/shared/http/require-tls';
import { tlsSettings } from '@comanda/shared/http/tls-files';
import { serviceSecretSettings } from '@comanda/shared/http/service-signature';

const count = (max: number) => Joi.number().integer().min(1).max(max);

export const notifierSettings = {
  ...commonSettings(3004),
  ...tracingSettings,
  ...metricsSettings(9004),
  ...tlsSettings,
  ...requireTlsSettings,
  ...tokenSettings,
  ...serviceSecretSettings,
  ...rabbitmqSettings,
  allowedOrigins: allowedOriginsSetting,
  // By default, only a gateway on the same machine is trusted. Any other proxy must be listed.
  trustedProxies: { ...trustedProxiesSetting, schema: trustedProxiesSetting.schema.default(['loopback']) },
  proxyHops: proxyHopsSetting,
  rateLimitFeed: setting('RATE_LIMIT_FEED', count(1_000_000_000).default(6000), settingTexts.rateLimitFeed),
  feedLimitAddress: setting('FEED_LIMIT_ADDRESS', count(1_000_000).default(1000), settingTexts.feedLimitAddress),
  feedPendingLimit: setting('FEED_PENDING_LIMIT', count(1_000_000).default(2000), settingTexts.feedPendingLimit),
  feedPendingLimitAddress: setting(
    'FEED_PENDING_LIMIT_ADDRESS',
    count(1_000_000).default(500),
    settingTexts.feedPendingLimitAddress,
  ),
  ringEvents: setting(
    'FEED_RING_EVENTS',
    count(1_000_000).default(10_000),
    'How many recent events stay in memory, to be replayed to any client',
  ),
  ringBytes: setting(
    'FEED_RING_BYTES',
    Joi.number()
      .integer()
      .min(1024 * 1024)
      .max(8 * 1024 ** 3)
      .default(32 * 1024 * 1024),
    'How much memory these recent events may take',
  ),
  readersAtOnce: setting(
    'FEED_READERS',
    count(1000).default(16),
    'How many clients may read older events from the stream at the same time',
  ),
  socketsPerUser: setting(
    'SOCKETS_PER_USER',
    count(10_000).default(20),
    "Open sockets of one user on this instance. At the limit, a socket that doesn't answer a ping within a second is closed",
  ),
  drainWindowMs: setting(
    'DRAIN_WINDOW_MS',
    Joi.number().integer().min(0).max(15_000).default(10_000),
    settingTexts.drainWindowMs,
  ),
};
export type NotifierConfig = ConfigOf<typeof notifierSettings>;
