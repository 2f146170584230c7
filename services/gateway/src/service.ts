import express from 'express';
import { endpoints } from '@comanda/shared/contracts/registry';
import { createClientReader } from '@comanda/shared/http/client-address';
import { serveHealth } from '@comanda/shared/http/health';
import { createObserver } from '@comanda/shared/http/observe';
import { serve } from '@comanda/shared/http/serve';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { connectRedis } from '@comanda/shared/redis/connection';
import { closeInOrder } from '@comanda/shared/runtime/lifecycle';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import type { Logger } from '@comanda/shared/runtime/logger';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import type { GatewayConfig } from './config.ts';
import { admit, createIdentify, createRouting, refuseMethod, refuseUnknown } from './door/admit.ts';
import { createDocuments } from './documents/serve-documents.ts';
import { createCrossOrigin } from './door/cross-origin.ts';
import { createFailureHandler } from './door/failure-handler.ts';
import { refuseHostile } from './door/refuse-hostile.ts';
import { createSecurityHeaders } from './door/security-headers.ts';
import { createLiveFeed } from './feed/live-feed.ts';
import { createWebApps } from './files/web-apps.ts';
import { createGeneralLimit } from './limits/general-limit.ts';
import { createStepUpLimit } from './limits/step-up-limit.ts';
import type { Step } from './passage.ts';
import { createForward } from './proxy/forward.ts';

/** How long a counter in Redis may keep a request waiting. */
const redisTimeoutMs = 50;

/** Starts the gateway. It listens at once; services, key set and Redis may come later. */
export async function startGateway(config: GatewayConfig, logger: Logger): Promise<Running> {
  const metrics = createMetrics('gateway');
  const redis = connectRedis({ url: config.redisUrl, prefix: config.redisPrefix, timeoutMs: redisTimeoutMs, logger });
  const tokens = createTokenVerifier({
    jwksUrl: config.jwksUrl,
    issuer: config.tokenIssuer,
    audience: config.tokenAudience,
    logger,
  });
  const readClient = createClientReader(config.trustedProxies);
  const observe = createObserver({ logger, metrics });
  const begin: Step = (req, res, next) => {
    res.locals.observed = observe(req, res);
    res.locals.client = readClient(req);
    next();
  };
  const services = createForward(config, logger);
  const feed = createLiveFeed({
    notifierUrl: config.notifierUrl,
    allowedOrigins: config.allowedOrigins,
    limits: { all: config.feedLimit, address: config.feedLimitAddress },
    timeoutMs: config.upstreamTimeoutMs,
    readClient,
    logger,
    metrics,
  });

  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.use(begin);
  app.use(createSecurityHeaders(config));
  app.use(refuseHostile);
  app.use(createCrossOrigin(config.allowedOrigins, endpoints));
  serveHealth(app, { metrics, dependencies: [{ name: 'redis', need: 'soft', isUp: redis.isUp }] });
  app.all(['/livez', '/readyz', '/metrics'], refuseMethod);
  app.use(createDocuments(config));
  app.use(createWebApps(config, logger));
  app.use(createRouting(endpoints));
  app.use(createIdentify(tokens));
  app.use(createGeneralLimit({ user: config.rateLimitUser, address: config.rateLimitAddress }));
  app.use(createStepUpLimit({ perMinute: config.rateLimitStepUp, redis, logger }));
  app.use(admit);
  app.use(services.forward);
  app.use(refuseUnknown);
  app.use(createFailureHandler(logger));

  const { url, close } = await serve(app, { port: config.port, host: config.host, upgrade: feed });
  return {
    url,
    close: () =>
      closeInOrder(
        [
          { what: 'live feeds', close: feed.close },
          { what: 'http', close, timeoutMs: config.upstreamTimeoutMs },
          { what: 'connections to services', close: services.close },
          { what: 'token keys', close: tokens.close },
          { what: 'redis', close: redis.close },
        ],
        logger,
      ),
  };
}
