import { join } from 'node:path';
import { comandaDir } from '../root.ts';
import { freePort } from '../servers/free-port.ts';
import { serviceImage } from '../service-image.ts';
import type { StartOptions } from './arguments.ts';
import type { Secrets } from './secrets.ts';

/** In the order of their start. They are stopped in reverse order, so that the gateway stops first. */
export const serviceNames = ['auth-stepup', 'orders', 'transfers', 'notifier', 'gateway'] as const;
export type ServiceName = (typeof serviceNames)[number];
export type ServiceSettings = { url: string; env: NodeJS.ProcessEnv };

/**
 * The URL and settings of each service. Only the gateway and the notifier are reachable from other machines. All other
 * variables of the caller's environment (limits, currency, time zone …) are passed on to the services.
 */
export async function serviceSettings(options: {
  start: StartOptions;
  servers: { mongodb: string; redis: string; rabbitmq: string };
  secrets: Secrets;
  /** The host name or address of this machine in URLs for browsers. */
  publicHost: string;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
}): Promise<Record<ServiceName, ServiceSettings>> {
  const { start, servers, secrets, publicHost, env } = options;
  const ports = {
    ...(await internalPorts(options)),
    notifier: start.notifierPort,
    gateway: start.gatewayPort,
  };
  const url = (name: ServiceName): string => `http://127.0.0.1:${ports[name]}`;
  const publicUrl = env['PUBLIC_URL'] || `http://${publicHost}:${ports.gateway}`;
  const notifierPublicUrl = env['NOTIFIER_PUBLIC_URL'] || `http://${publicHost}:${ports.notifier}`;
  const origins = [publicUrl, `http://localhost:${ports.gateway}`, url('gateway'), env['ALLOWED_ORIGINS']];
  const common = {
    ...env,
    NODE_ENV: 'development',
    NODE_COMPILE_CACHE: join(comandaDir, 'compile-cache'), // compiled sources: services start faster and use less memory
    HOST: '127.0.0.1',
    MONGODB_DATABASE: '', // each service has its own default
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
  const external = { HOST: start.lan ? '0.0.0.0' : '127.0.0.1' };
  // Clients need no time window in which to spread their reconnects.
  const singleInstance = { DRAIN_WINDOW_MS: '0' };
  const own: Record<ServiceName, NodeJS.ProcessEnv> = {
    'auth-stepup': { KEY_SEALING_SECRET: secrets.authSealingSecret, PIN_PEPPER: secrets.pinPepper },
    orders: {},
    transfers: { KEY_SEALING_SECRET: secrets.transfersSealingSecret },
    notifier: { ...external, ...singleInstance, ALLOWED_ORIGINS: [...new Set(origins.filter(Boolean))].join(',') },
    gateway: { ...external, ...singleInstance },
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

const usualPorts = { orders: 3001, 'auth-stepup': 3002, transfers: 3003 };
type InternalService = keyof typeof usualPorts;

/** The ports of the services that only other services call: the usual ones, or free ones, which are logged. */
async function internalPorts(options: {
  start: StartOptions;
  log: (line: string) => void;
}): Promise<Record<InternalService, number>> {
  const { start, log } = options;
  const chosen = { ...usualPorts };
  for (const name of Object.keys(usualPorts) as InternalService[]) {
    const usual = usualPorts[name];
    const taken = usual === start.gatewayPort || usual === start.notifierPort;
    chosen[name] = await freePort(taken ? undefined : usual);
    if (chosen[name] !== usual) log(`${name}: port ${usual} is in use, so it listens on ${chosen[name]}`);
  }
  return chosen;
}
