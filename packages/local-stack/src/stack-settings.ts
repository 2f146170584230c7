import type { Secrets } from './secrets.ts';

/** The services in the order in which they are started. They are stopped in reverse order, so the gateway is stopped first. */
export const serviceNames = ['auth-stepup', 'orders', 'transfers', 'notifier', 'gateway'] as const;
export type ServiceName = (typeof serviceNames)[number];
export type StackSettings = Record<ServiceName, Record<string, string>>;
/** Returns an object that has a value for each service. */
export const perService = <T>(valueOf: (name: ServiceName) => T): Record<ServiceName, T> =>
  Object.fromEntries(serviceNames.map((name) => [name, valueOf(name)])) as Record<ServiceName, T>;
type Options = {
  /**
   * The URLs that the services use for each other. A service without a URL listens on a free port, and no other service can reach
   * it.
   */
  urls?: Partial<Record<ServiceName, string>>;
  /** The URLs that browsers use for the gateway and the notifier. By default the same as in `urls`. */
  publicUrls?: {
    gateway: string;
    notifier: string;
    /** The gateway's URL for the staff app. */
    staff?: string;
  };
  servers: {
    mongodbUri: string;
    /** The prefix of the names of all databases. By default, each service's database has the service's usual name. */
    database?: string;
    redisUrl: string;
    redisPrefix?: string;
    rabbitmqUrl: string;
  };
  secrets: Secrets;
};
const notReached = 'http://127.0.0.1:0';

/** Returns, for each service, its URLs and all other settings that have no default or depend on other services. */
export function stackSettings({ urls = {}, publicUrls, servers, secrets }: Options): StackSettings {
  const urlOf = (name: ServiceName): string => urls[name] ?? notReached;
  const publicUrl = publicUrls?.gateway ?? urlOf('gateway');
  const staffUrl = publicUrls?.staff;
  const staff = { ...(staffUrl !== undefined && { STAFF_URL: staffUrl }) };
  const port = (name: ServiceName) => ({ PORT: new URL(urlOf(name)).port });
  const tokens = { JWKS_URL: `${urlOf('auth-stepup')}/.well-known/jwks.json` };
  const proves = (name: ServiceName) => ({ SERVICE_SECRET: secrets.services[name] });
  const accepts = (...callers: readonly ServiceName[]) => ({
    CALLER_SECRETS: callers.map((name) => `${name}:${secrets.services[name]}`).join(','),
  });
  const redis = {
    REDIS_URL: servers.redisUrl,
    ...(servers.redisPrefix !== undefined && { REDIS_PREFIX: servers.redisPrefix }),
  };
  const rabbitmq = { RABBITMQ_URL: servers.rabbitmqUrl };
  const mongodb = (name: string) => ({
    MONGODB_URI: servers.mongodbUri,
    ...(servers.database !== undefined && { MONGODB_DATABASE: `${servers.database}_${name}` }),
  });
  return {
    'auth-stepup': {
      ...port('auth-stepup'),
      ...proves('auth-stepup'),
      ...accepts('gateway', 'orders', 'transfers', 'notifier'), // All these services fetch the JWKS.
      ...mongodb('auth'),
      ...redis,
      ...rabbitmq,
      KEY_SEALING_SECRET: secrets.authSealingSecret,
      PIN_PEPPER: secrets.pinPepper,
      PUBLIC_URL: publicUrl,
      ...staff,
      TRANSFERS_URL: urlOf('transfers'),
      ORDERS_URL: urlOf('orders'),
    },
    orders: {
      ...port('orders'),
      ...proves('orders'),
      ...accepts('auth-stepup', 'transfers'),
      ...tokens,
      AUTH_STEPUP_URL: urlOf('auth-stepup'),
      ...mongodb('orders'),
      ...rabbitmq,
    },
    transfers: {
      ...port('transfers'),
      ...proves('transfers'),
      ...accepts('auth-stepup'),
      ...tokens,
      ...mongodb('transfers'),
      ...rabbitmq,
      AUTH_STEPUP_URL: urlOf('auth-stepup'),
      ORDERS_URL: urlOf('orders'),
      KEY_SEALING_SECRET: secrets.transfersSealingSecret,
    },
    notifier: {
      ...port('notifier'),
      ...proves('notifier'),
      ...tokens,
      ...rabbitmq,
      ALLOWED_ORIGINS: [publicUrl, ...(staffUrl === undefined ? [] : [staffUrl])].join(','),
    },
    gateway: {
      ...port('gateway'),
      ...proves('gateway'),
      ...tokens,
      ...redis,
      ORDERS_URL: urlOf('orders'),
      AUTH_STEPUP_URL: urlOf('auth-stepup'),
      TRANSFERS_URL: urlOf('transfers'),
      NOTIFIER_URL: urlOf('notifier'),
      PUBLIC_URL: publicUrl,
      ...staff,
      NOTIFIER_PUBLIC_URL: publicUrls?.notifier ?? urlOf('notifier'),
    },
  };
}
