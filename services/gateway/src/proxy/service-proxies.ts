import type { ServiceName } from '@comanda/contracts/endpoint';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { Tracer } from '@comanda/shared/tracing/tracer';
import type { GatewayConfig } from '../config.ts';
import { createServiceProxy, type ServiceProxy } from './service-proxy.ts';

/** The proxies for all services in the contracts except the gateway itself. */
export type ServiceProxies = Readonly<Record<Exclude<ServiceName, 'gateway'>, ServiceProxy>>;

type Options = { config: GatewayConfig; logger: Logger; tracer: Tracer };

export function createServiceProxies({ config, logger, tracer }: Options): ServiceProxies {
  const proxyTo = (name: ServiceName, url: string): ServiceProxy =>
    createServiceProxy({
      url,
      timeoutMs: config.upstreamTimeoutMs,
      maxInFlight: config.upstreamLimit,
      logger: logger.child({ upstream: name }),
      tracer,
    });
  return {
    orders: proxyTo('orders', config.ordersUrl),
    'auth-stepup': proxyTo('auth-stepup', config.authStepupUrl),
    transfers: proxyTo('transfers', config.transfersUrl),
    notifier: proxyTo('notifier', config.notifierUrl),
  };
}
