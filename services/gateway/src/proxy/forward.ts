import type { ServiceName } from '@comanda/shared/contracts/endpoint';
import { logFailure, sendProblem } from '@comanda/shared/http/problem-handler';
import type { Logger } from '@comanda/shared/runtime/logger';
import type { GatewayConfig } from '../config.ts';
import type { PassageResponse, Step } from '../passage.ts';
import { keepServiceHeaders } from './passed-headers.ts';
import { upstreamProblem } from './upstream-failure.ts';
import { createUpstream } from './upstream.ts';
import type { Upstream } from './upstream.ts';

/** The way to the services: each endpoint's request goes to the service that its contract names. */
export function createForward(config: GatewayConfig, logger: Logger): { forward: Step; close: () => void } {
  const upstream = (url: string): Upstream =>
    createUpstream({
      url,
      timeoutMs: config.upstreamTimeoutMs,
      maxInFlight: config.upstreamLimit,
      onFailure: (error, req, res) => {
        const { endpoint, observed } = (res as PassageResponse).locals;
        const { requestId } = observed.context;
        const failure = upstreamProblem(error, req.method ?? '');
        logFailure(logger.child({ upstream: endpoint.service }), error, { failure, requestId });
        sendProblem(res, failure, requestId);
      },
    });
  const upstreams: Record<Exclude<ServiceName, 'gateway'>, Upstream> = {
    orders: upstream(config.ordersUrl),
    'auth-stepup': upstream(config.authStepupUrl),
    transfers: upstream(config.transfersUrl),
    notifier: upstream(config.notifierUrl),
  };
  return {
    forward: (req, res, next) => {
      const { service } = res.locals.endpoint;
      // The gateway's own endpoints come after this step.
      if (service === 'gateway') return next();
      keepServiceHeaders(req, res.locals);
      upstreams[service].forward(req, res);
    },
    close: () => {
      for (const each of Object.values(upstreams)) each.close();
    },
  };
}
