import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { feedIsWebSocketOnly } from '@comanda/contracts/feed';
import { problem } from '@comanda/contracts/problem';
import { createApi } from '@comanda/shared/http/api';
import { createClientReader } from '@comanda/shared/http/client-address';
import { isFeedHandshake } from '@comanda/shared/http/feed-handshake';
import { serveMetricsPort } from '@comanda/shared/http/metrics-port';
import { sendProblem } from '@comanda/shared/http/problem-handler';
import { readRequestId } from '@comanda/shared/http/request-context';
import { createTlsRequirement } from '@comanda/shared/http/require-tls';
import { serve } from '@comanda/shared/http/serve';
import { openTlsFiles } from '@comanda/shared/http/tls-files';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { publishHeartbeats } from '@comanda/shared/messaging/heartbeat';
import { createPublisher } from '@comanda/shared/messaging/publisher';
import { createDrain } from '@comanda/shared/runtime/drain';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import type { Logger } from '@comanda/shared/runtime/logger';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import { createShutdown } from '@comanda/shared/runtime/shutdown';
import { versionOf } from '@comanda/shared/runtime/version';
import { openTracer } from '@comanda/shared/tracing/open-tracer';
import type { NotifierConfig } from './config.ts';
import { createConnectionMetrics } from './connections/connection-metrics.ts';
import { createFeedServer } from './connections/feed-server.ts';
import { createHandshakeLimiter } from './connections/handshake-limiter.ts';
import { limitHandshakes } from './connections/limit-handshakes.ts';
import { createFeedMetrics } from './feed/feed-metrics.ts';
import { createFeed } from './feed/feed.ts';
import { measureEvents } from './feed/measure-events.ts';
import { createStreamArchive } from './stream/stream-archive.ts';

/**
 * Starts the notifier. It listens immediately, and waits for RabbitMQ and auth-stepup if they aren't available yet. `close`
 * rejects new connections and closes the open ones over `DRAIN_WINDOW_MS`.
 */
export async function startNotifier(config: NotifierConfig, logger: Logger): Promise<Running & { metricsUrl: string }> {
  const shutdown = createShutdown(logger);
  const version = versionOf(import.meta.url);
  const metrics = createMetrics('notifier');
  const drain = createDrain();
  const tracer = openTracer({ config, service: 'notifier', version, logger, metrics });
  shutdown.add('traces', tracer.close);

  const tokens = createTokenVerifier({
    jwksUrl: config.jwksUrl,
    service: { name: 'notifier', secret: config.serviceSecret },
    issuer: config.tokenIssuer,
    audience: config.tokenAudience,
    logger,
    clock: Date.now,
  });
  shutdown.add('token keys', tokens.close);
  const archive = createStreamArchive({ url: config.rabbitmqUrl, logger });
  const publisher = createPublisher({ url: config.rabbitmqUrl, name: 'notifier', logger });
  shutdown.add('archive and publisher', async () => {
    await Promise.all([archive.close(), publisher.close({ drainMs: 0 })]);
  });
  shutdown.add('heartbeats', publishHeartbeats({ publisher, source: '/notifier', logger }));
  const feedMetrics = createFeedMetrics(metrics);
  const feed = createFeed({ config, logger, metrics: feedMetrics, clock: Date.now });
  shutdown.add('feed', feed.close);

  const dependencies = [
    drain.dependency,
    tokens.dependency,
    { name: 'first read of the stream', need: 'hard', isUp: feed.hasRead },
    { name: 'rabbitmq', need: 'soft', isUp: feed.isReading },
  ] as const;
  const inner = await serveMetricsPort({ config, version, metrics, dependencies });
  shutdown.add('metrics', inner.close);

  const { app } = createApi({
    logger,
    version,
    metrics,
    tokens: null,
    translate: [],
    dependencies,
    port: 'public',
    tracer,
  });
  const http = await serve(refusePolling(app), {
    ...config,
    drain,
    tls: openTlsFiles(config, logger),
    // Socket.IO has its own upgrade listener.
    upgrade: { accepts: isFeedHandshake, handle: () => undefined },
  });
  const readClient = createClientReader({ ...config, logger });
  const handshakes = createHandshakeLimiter({
    readClient,
    requireTls: createTlsRequirement(config),
    handshakesPerMinute: config.rateLimitFeed,
    openPerAddress: config.feedLimitAddress,
    pending: { total: config.feedPendingLimit, perAddress: config.feedPendingLimitAddress },
    clock: Date.now,
  });
  const feedServer = createFeedServer({
    server: http.server,
    config,
    handshakes,
    readClient,
    feed,
    archive,
    tokens,
    metrics: createConnectionMetrics(metrics),
    measure: measureEvents(feedMetrics, Date.now),
    tracer,
    logger,
    clock: Date.now,
  });
  limitHandshakes(http.server, { limiter: handshakes, readClient, logger });
  shutdown.add(
    'http and sockets',
    async () => {
      const httpClosed = http.close(); // no new connections from now on
      await feedServer.close();
      await httpClosed;
    },
    { timeoutMs: config.drainWindowMs + 5000 },
  );

  return { url: http.url, metricsUrl: inner.url, drain, close: shutdown.close };
}

const isFeedRequest = ({ url = '' }: IncomingMessage): boolean => /^\/socket\.io(\/|\?|$)/.test(url);

/** Rejects HTTP polling. The feed uses only WebSocket, so that any number of instances can run without sticky sessions. */
function refusePolling(app: RequestListener): RequestListener {
  return (req: IncomingMessage, res: ServerResponse): void => {
    if (!isFeedRequest(req)) {
      app(req, res);
      return;
    }
    sendProblem(res, problem('upgrade_required', { detail: feedIsWebSocketOnly }), readRequestId(req));
  };
}
