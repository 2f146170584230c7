import { join } from 'node:path';
import { comandaDir } from '../root.ts';
import { freePort } from '../servers/free-port.ts';
import { serviceImage } from '../service-image.ts';
import type { StartOptions } from './arguments.ts';
import type { Secrets } from './secrets.ts';

/** In the order in which they are started; they are ended in the reverse order, doors first. */
export const serviceNames = ['auth-stepup', 'orders', 'transfers', 'notifier', 'gateway'] as const;
export type ServiceName = (typeof serviceNames)[number];
export type ServiceSettings = { url: string; env: NodeJS.ProcessEnv };

/**
 * Where each service is, and its settings. The gateway and the notifier alone are seen from outside. What else the
 * caller's environment holds (limits, currency, time zone …) reaches the services as it is.
 */
export async function serviceSettings(options: {
  start: StartOptions;
  servers: { mongodb: string; redis: string; rabbitmq: string };
  secrets: Secrets;
  /** The machine's name or address for browsers. */
  publicHost: string;
  env: NodeJS.ProcessEnv;
}): Promise<Record<ServiceName, ServiceSettings>> {
  const { start, servers, secrets, publicHost, env } = options;
  const taken = new Set([start.gatewayPort, start.notifierPort]);
  const inside = (preferred: number): Promise<number> => freePort(taken.has(preferred) ? undefined : preferred);
  const ports = {
    'auth-stepup': await inside(3002),
    orders: await inside(3001),
    transfers: await inside(3003),
    notifier: start.notifierPort,
    gateway: start.gatewayPort,
  };
  const url = (name: ServiceName): string => `http://127.0.0.1:${ports[name]}`;
  const publicUrl = env['PUBLIC_URL'] || `http://${publicHost}:${ports.gateway}`;
  const notifierPublicUrl = env['NOTIFIER_PUBLIC_URL'] || `http://${publicHost}:${ports.notifier}`;
  const pages = [publicUrl, `http://localhost:${ports.gateway}`, url('gateway'), env['ALLOWED_ORIGINS']];
  const common = {
    ...env,
    NODE_ENV: 'development',
    NODE_COMPILE_CACHE: join(comandaDir, 'compile-cache'), // the sources, stripped and compiled: services start sooner and smaller
    HOST: '127.0.0.1',
    MONGODB_DATABASE: '', // each service has one of its own
    MONGODB_URI: servers.mongodb,
    REDIS_URL: servers.redis,
    RABBITMQ_URL: servers.rabbitmq,
    JWKS_URL: `${url('auth-stepup')}/.well-known/jwks.json`,
    AUTH_STEPUP_URL: url('auth-stepup'),
    ORDERS_URL: url('orders'),
    TRANSFERS_URL: url('transfers'),
    NOTIFIER_URL: url('notifier'),
    NOTIFIER_PUBLIC_URL: notifierPublicUrl,
    PUBLIC_URL: publicUrl,
  };
  const outside = { HOST: start.lan ? '0.0.0.0' : '127.0.0.1' };
  const own: Record<ServiceName, NodeJS.ProcessEnv> = {
    'auth-stepup': { KEY_SEALING_SECRET: secrets.authSealingSecret, PIN_PEPPER: secrets.pinPepper },
    orders: {},
    transfers: { KEY_SEALING_SECRET: secrets.transfersSealingSecret },
    // Screens need no time to spread their reconnecting: there is no other instance to go to.
    notifier: { ...outside, ALLOWED_ORIGINS: [...new Set(pages.filter(Boolean))].join(','), DRAIN_WINDOW_MS: '0' },
    gateway: outside,
  };
  const settingsOf = (name: ServiceName): ServiceSettings => ({
    url: url(name),
    env: { ...serviceImage(name).env, ...common, PORT: String(ports[name]), ...own[name] },
  });
  return {
    'auth-stepup': settingsOf('auth-stepup'),
    orders: settingsOf('orders'),
    transfers: settingsOf('transfers'),
    notifier: settingsOf('notifier'),
    gateway: settingsOf('gateway'),
  };
}
