import type { IncomingMessage } from 'node:http';
import type { ServiceName } from '@comanda/contracts/endpoint';
import type { GatewayConfig } from '../config.ts';
import type { PassageResponse } from '../passage.ts';
import type { Refuse } from '../refuse.ts';
import { keepServiceHeaders } from './passed-headers.ts';
import { upstreamProblem } from './upstream-failure.ts';
import { createUpstream } from './upstream.ts';
import type { Upstream } from './upstream.ts';

export type Forward = {
  /** Sends the request to the service that its endpoint's contract names. */
  forward: (req: IncomingMessage, res: PassageResponse) => void;
  close: () => Promise<void>;
};

/** The way to the services, and what the client is told when one of them fails. */
export function createForward(config: GatewayConfig, refuse: Refuse): Forward {
  const upstream = (url: string): Upstream =>
    createUpstream({
      url,
      timeoutMs: config.upstreamTimeoutMs,
      maxInFlight: config.upstreamLimit,
      onFailure: (error, req, res) => refuse(res, upstreamProblem(error, req.method ?? ''), error),
    });
  const upstreams: Partial<Record<ServiceName, Upstream>> = {
    orders: upstream(config.ordersUrl),
    'auth-stepup': upstream(config.authStepupUrl),
    transfers: upstream(config.transfersUrl),
    notifier: upstream(config.notifierUrl),
  };
  return {
    forward: (req, res) => {
      const { endpoint } = res.locals;
      const service = endpoint && upstreams[endpoint.service];
      if (!service) throw new Error(`there is no service for ${endpoint?.path}`);
      keepServiceHeaders(req, res.locals);
      service.forward(req, res);
    },
    close: async () => {
      await Promise.all(Object.values(upstreams).map((each) => each.close()));
    },
  };
}
