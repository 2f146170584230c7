import { endpoints } from '@comanda/contracts/registry';
import { createClientReader, createProxyCheck } from '@comanda/shared/http/client-address';
import { serveMetricsPort } from '@comanda/shared/http/metrics-port';
import { createObserver } from '@comanda/shared/http/observe';
import { createTlsRequirement } from '@comanda/shared/http/require-tls';
import { createRouteTable } from '@comanda/shared/http/route-table';
import { serve } from '@comanda/shared/http/serve';
import { openTlsFiles } from '@comanda/shared/http/tls-files';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { connectRedis } from '@comanda/shared/redis/connection';
import { createDrain } from '@comanda/shared/runtime/drain';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import type { Logger } from '@comanda/shared/runtime/logger';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import { createShutdown } from '@comanda/shared/runtime/shutdown';
import { versionOf } from '@comanda/shared/runtime/version';
import { openTracer } from '@comanda/shared/tracing/open-tracer';
import type { GatewayConfig } from './config.ts';
import { createLiveFeed } from './feed/live-feed.ts';
import { createRequestHandler } from './handle-request.ts';
import { createConnections } from './limits/connections.ts';
import { createLimits } from './limits/limits.ts';
import { createAppHosts } from './local-routes/app-hosts.ts';
import { createApiDocsRoute } from './local-routes/api-docs-route.ts';
import { createLocalRoutes } from './local-routes/local-routes.ts';
import { createWebAppRoute } from './local-routes/web-app-route.ts';
import { createCors } from './middleware/cors.ts';
import { createUploadReader } from './middleware/read-upload.ts';
import { createSecurityHeaders } from './middleware/security-headers.ts';
import { createServiceProxies } from './proxy/service-proxies.ts';
import { createRefuseRequest } from './refuse-request.ts';
import { GatewayRequest } from './request-state.ts';

/** The limits for uploads. Each upload may have 10 MB, and is briefly in memory twice. */
const uploads = { maxAtOnce: 8, maxOfUser: 2 };
/** How long a request may wait for a count from Redis, in milliseconds. */
const redisTimeoutMs = 50;

/**
 * Operations that the alert TransfersFail watches. Their series exist from the start: otherwise, a first failure would look as if
 * all requests had failed.
 */
const readByAlert = [
  'POST /security/step-up',
  'POST /accounts/internal-transfers',
  'POST /accounts/bill-payments',
].flatMap((route) => [201, 500, 502, 503, 504].map((status) => ({ route, status })));

/** Starts the gateway. It listens immediately, even if Redis, the services or the token keys are not available yet. */
export async function startGateway(config: GatewayConfig, logger: Logger): Promise<Running & { metricsUrl: string }> {
  const version = versionOf(import.meta.url);
  const metrics = createMetrics('gateway');
  const drain = createDrain();
  const readClient = createClientReader({ ...config, logger });
  const requireTls = createTlsRequirement(config);
  const redirectElsewhere = createAppHosts(config);
  const shutdown = createShutdown(logger);
  const tracer = openTracer({ config, service: 'gateway', version, logger, metrics });
  shutdown.add('traces', tracer.close);

  const redis = connectRedis({ url: config.redisUrl, prefix: config.redisPrefix, timeoutMs: redisTimeoutMs, logger });
  shutdown.add('redis', redis.close);
  const tokens = createTokenVerifier({
    jwksUrl: config.jwksUrl,
    service: { name: 'gateway', secret: config.serviceSecret },
    issuer: config.tokenIssuer,
    audience: config.tokenAudience,
    logger,
    clock: Date.now,
  });
  shutdown.add('token keys', tokens.close);
  const services = createServiceProxies({ config, logger, tracer });
  for (const [name, { close }] of Object.entries(services)) shutdown.add(`connections to ${name}`, close);

  const connections = createConnections({
    perAddress: { open: config.connectionLimitAddress, unfinished: config.unfinishedLimitAddress },
    isTrustedProxy: createProxyCheck(config.trustedProxies),
  });
  const limits = createLimits({
    perMinute: {
      user: config.rateLimitUser,
      staff: config.rateLimitStaff,
      address: config.rateLimitAddress,
      files: config.rateLimitFiles,
      refused: config.rateLimitRefused,
      addressUsers: config.rateLimitAddressUsers,
      feed: config.rateLimitFeed,
      stepUp: config.rateLimitStepUp,
    },
    redis,
    logger,
    clock: Date.now,
  });
  const refuse = createRefuseRequest({ limits, logger });

  const dependencies = [
    drain.dependency,
    tokens.dependency,
    { name: 'redis', need: 'soft', isUp: redis.isUp },
  ] as const;
  const inner = await serveMetricsPort({ config, version, metrics, dependencies });
  shutdown.add('metrics', inner.close);

  const handleRequest = createRequestHandler({
    observe: createObserver({ logger, metrics, tracer, senders: 'anybody', fromStart: readByAlert }),
    readClient,
    requireTls,
    securityHeaders: createSecurityHeaders(config),
    matchRoute: createRouteTable(endpoints),
    cors: createCors(config.allowedOrigins, endpoints),
    tokens,
    connections,
    limits,
    readUpload: createUploadReader(uploads),
    services,
    serveLocally: createLocalRoutes({
      dependencies,
      routes: [createApiDocsRoute(config, redirectElsewhere), createWebAppRoute(config, { redirectElsewhere, logger })],
      refuse,
    }),
    refuse,
  });
  const feed = createLiveFeed({
    notifierUrl: config.notifierUrl,
    allowedOrigins: config.allowedOrigins,
    limits: {
      accepted: { total: config.feedLimit, perAddress: config.feedLimitAddress },
      pending: { total: config.feedPendingLimit, perAddress: config.feedPendingLimitAddress },
    },
    timeoutMs: config.upstreamTimeoutMs,
    readClient,
    requireTls,
    onHandshake: connections.onHandshake,
    countHandshake: limits.countHandshake,
    logger,
    metrics,
  });

  const server = await serve(handleRequest, {
    port: config.port,
    host: config.host,
    upgrade: feed,
    onConnection: connections.onConnection,
    tls: openTlsFiles(config, logger),
    drain,
    IncomingMessage: GatewayRequest,
  });
  shutdown.add(
    'http and live feeds',
    async () => {
      const httpClosed = server.close(); // accepts no new connections from now on; requests in flight still get their response
      await feed.close(config.drainWindowMs);
      await httpClosed;
    },
    { timeoutMs: Math.max(config.upstreamTimeoutMs, config.drainWindowMs + 5000) },
  );
  return { url: server.url, metricsUrl: inner.url, drain, close: shutdown.close };
}
