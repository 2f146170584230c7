import { join } from 'node:path';
import { comandaDir } from '@comanda/local-stack/root';
import type { Secrets } from '@comanda/local-stack/secrets';
import { freePort } from '@comanda/local-stack/servers/free-port';
import { serviceImage } from '@comanda/local-stack/service-image';
import { perService, stackSettings, type ServiceName } from '@comanda/local-stack/stack-settings';
import type { StartOptions } from './arguments.ts';
import type { LanCertificate } from './lan-certificate.ts';

export type ServiceSettings = {
  url: string;
  /** The URL for the service's detailed health and its metrics. */
  healthUrl: string;
  env: NodeJS.ProcessEnv;
};
type Start = Pick<StartOptions, 'gatewayPort' | 'notifierPort' | 'lan'>;

/**
 * Returns each service's URL and settings. Other machines can reach only the gateway and the notifier. All other variables from
 * the caller's environment (limits, currency, time zone …) are passed on to the services.
 */
export async function serviceSettings(options: {
  start: Start;
  servers: { mongodbUri: string; redisUrl: string; rabbitmqUrl: string };
  secrets: Secrets;
  /** This machine's host name or address for browsers. */
  publicHost: string;
  /** The HTTPS certificate for the gateway and notifier, or null for plain HTTP. */
  certificate: LanCertificate | null;
  /** The settings of transfers for our own bank; empty if the restaurant has another one, or none. */
  bank: Readonly<Record<string, string>>;
  env: NodeJS.ProcessEnv;
  log: (line: string) => void;
}): Promise<Record<ServiceName, ServiceSettings>> {
  const { start, servers, secrets, publicHost, certificate, env } = options;
  const { gatewayPort, notifierPort } = start;
  const ports = { ...(await internalPorts(options)), notifier: notifierPort, gateway: gatewayPort };
  const scheme = certificate ? 'https' : 'http';
  const isOpen = (name: ServiceName): boolean => name === 'gateway' || name === 'notifier';
  const urls = perService((name) => `${isOpen(name) ? scheme : 'http'}://127.0.0.1:${ports[name]}`);
  const publicUrls = {
    gateway: env['PUBLIC_URL'] || `${scheme}://${publicHost}:${gatewayPort}`,
    notifier: env['NOTIFIER_PUBLIC_URL'] || `${scheme}://${publicHost}:${notifierPort}`,
    ...(env['STAFF_URL'] && { staff: env['STAFF_URL'] }),
  };
  const stack = stackSettings({ urls, publicUrls, servers, secrets });
  const origins = [
    publicUrls.gateway,
    publicUrls.staff,
    `${scheme}://localhost:${gatewayPort}`,
    urls.gateway,
    env['ALLOWED_ORIGINS'],
  ];
  const common = {
    ...env,
    NODE_ENV: 'development',
    NODE_COMPILE_CACHE: join(comandaDir, 'compile-cache'), // services start faster and use less memory with stored compiled code
    HOST: '127.0.0.1',
    METRICS_HOST: '127.0.0.1',
    MONGODB_DATABASE: '', // each service has a default of its own
  };
  const tls = { TLS_CERT_FILE: certificate?.certFile ?? '', TLS_KEY_FILE: certificate?.keyFile ?? '' };
  // With only one instance, clients need not spread out their reconnects, so DRAIN_WINDOW_MS is 0.
  const open = { HOST: start.lan ? '0.0.0.0' : '127.0.0.1', DRAIN_WINDOW_MS: '0', ...tls };
  const metricsPorts = { gateway: await freePort(9000), notifier: await freePort(9004) };
  const healthPorts = { ...ports, ...metricsPorts };
  const own: Partial<Record<ServiceName, NodeJS.ProcessEnv>> = {
    transfers: options.bank,
    notifier: {
      ...open,
      METRICS_PORT: `${metricsPorts.notifier}`,
      ALLOWED_ORIGINS: [...new Set(origins.filter(Boolean))].join(','),
    },
    gateway: {
      ...open,
      METRICS_PORT: `${metricsPorts.gateway}`,
      // The gateway must trust the notifier's certificate.
      ...(certificate && { NODE_EXTRA_CA_CERTS: certificate.authorityFile }),
    },
  };
  return perService((name) => ({
    url: urls[name],
    healthUrl: `http://127.0.0.1:${healthPorts[name]}`,
    env: { ...serviceImage(name).env, ...common, ...stack[name], ...own[name] },
  }));
}

const usualPorts = { orders: 3001, 'auth-stepup': 3002, transfers: 3003 };
type InternalService = keyof typeof usualPorts;

/**
 * Returns ports for the services that only other services call: the usual ports, or free ones if those are in use, which is
 * logged.
 */
async function internalPorts(options: {
  start: Start;
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
