import { endpoints } from '@comanda/contracts/registry';
import { createClientReader } from '@comanda/shared/http/client-address';
import { createObserver } from '@comanda/shared/http/observe';
import { serve } from '@comanda/shared/http/serve';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { connectRedis } from '@comanda/shared/redis/connection';
import { closeInOrder } from '@comanda/shared/runtime/lifecycle';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import type { Logger } from '@comanda/shared/runtime/logger';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import type { GatewayConfig } from './config.ts';
import { createDocuments } from './documents/serve-documents.ts';
import { createCrossOrigin } from './door/cross-origin.ts';
import { createSecurityHeaders } from './door/security-headers.ts';
import { createLiveFeed } from './feed/live-feed.ts';
import { createWebApps } from './files/web-apps.ts';
import { createGate } from './gate.ts';
import { createLimits } from './limits/limits.ts';
import { createPages } from './pages.ts';
import { createForward } from './proxy/forward.ts';
import { createRefuse } from './refuse.ts';

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
  const refuse = createRefuse(logger);
  const services = createForward(config, refuse);
  const pages = createPages({
    metrics,
    dependencies: [{ name: 'redis', need: 'soft', isUp: redis.isUp }],
    files: [createDocuments(config), createWebApps(config, logger)],
    refuse,
  });
  const gate = createGate({
    endpoints,
    observe: createObserver({ logger, metrics }),
    readClient,
    securityHeaders: createSecurityHeaders(config),
    crossOrigin: createCrossOrigin(config.allowedOrigins, endpoints),
    tokens,
    limits: createLimits({
      perMinute: { user: config.rateLimitUser, address: config.rateLimitAddress, stepUp: config.rateLimitStepUp },
      redis,
      logger,
    }),
    forward: services.forward,
    pages,
    refuse,
  });
  const feed = createLiveFeed({
    notifierUrl: config.notifierUrl,
    allowedOrigins: config.allowedOrigins,
    limits: { all: config.feedLimit, address: config.feedLimitAddress },
    timeoutMs: config.upstreamTimeoutMs,
    readClient,
    logger,
    metrics,
  });

  const { url, close } = await serve(gate, { port: config.port, host: config.host, upgrade: feed });
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
