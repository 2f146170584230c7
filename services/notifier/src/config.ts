import Joi from 'joi';
import { commonSettings, rabbitmqSettings, setting, tokenSettings } from '@comanda/shared/config/load-config';
import type { ConfigOf } from '@comanda/shared/config/load-config';

const count = (most: number) => Joi.number().integer().min(1).max(most);

/** `https://a.example, http://b.example:8080`: origins as browsers send them, separated by commas. */
const origins = Joi.string()
  .allow('')
  .pattern(/^\s*(https?:\/\/[^\s/,]+\s*(,\s*|$))*$/)
  .messages({ 'string.pattern.base': 'must be origins such as https://kitchen.example, separated by commas' });

export const notifierSettings = {
  ...commonSettings(3004),
  ...tokenSettings,
  ...rabbitmqSettings,
  allowedOrigins: setting(
    'ALLOWED_ORIGINS',
    origins.default(''),
    'Origins of browsers that may connect, besides pages of this very host',
  ),
  ringEvents: setting(
    'FEED_RING_EVENTS',
    count(1_000_000).default(10_000),
    'Recent events that are replayed to anyone',
  ),
  readersAtOnce: setting(
    'FEED_READERS',
    count(1000).default(16),
    "How many staff's screens read the stream again at once",
  ),
  socketsPerUser: setting('SOCKETS_PER_USER', count(10_000).default(20), 'Open sockets of one user on this instance'),
  drainWindowMs: setting(
    'DRAIN_WINDOW_MS',
    Joi.number().integer().min(0).max(15_000).default(10_000),
    'Over how long sockets are closed when the service stops',
  ),
};
export type NotifierConfig = ConfigOf<typeof notifierSettings>;
