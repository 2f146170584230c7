import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { problem } from '@comanda/contracts/problems';
import { createApi } from '@comanda/shared/http/api';
import { sendProblem } from '@comanda/shared/http/problem-handler';
import { readContext } from '@comanda/shared/http/request-context';
import { serve } from '@comanda/shared/http/serve';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { createStreamArchive } from '@comanda/shared/messaging/stream-reader';
import { closeInOrder } from '@comanda/shared/runtime/lifecycle';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import type { Logger } from '@comanda/shared/runtime/logger';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import type { NotifierConfig } from './config.ts';
import { createFeed } from './feed/feed.ts';
import { createNotifierMetrics } from './metrics.ts';
import { openScreens } from './screens/sockets.ts';

/** Listens at once; a broker or an auth-stepup that is not there yet is waited for. `close` spreads what it ends. */
export async function startNotifier(config: NotifierConfig, logger: Logger): Promise<Running> {
  const registry = createMetrics('notifier');
  const metrics = createNotifierMetrics(registry);
  const feed = createFeed({ config, logger, metrics });
  const { app } = createApi({
    logger,
    metrics: registry,
    tokens: null,
    translate: [],
    dependencies: [{ name: 'rabbitmq', need: 'hard', isUp: () => feed.status().status !== 'stalled' }],
  });
  const onRequest = refusePolling(app);
  const http = await serve(onRequest, config);
  const tokens = createTokenVerifier({
    jwksUrl: config.jwksUrl,
    issuer: config.tokenIssuer,
    audience: config.tokenAudience,
    logger,
  });
  const archive = createStreamArchive({ url: config.rabbitmqUrl, name: 'notifier', logger });
  const screens = openScreens({ server: http.server, config, feed, archive, tokens, metrics, logger });
  // Socket.IO would answer plain requests to its path by itself: it is to hear of upgrades only.
  http.server.removeAllListeners('request').on('request', onRequest);
  feed.start(screens);

  return {
    url: http.url,
    close: async () => {
      const closed = http.close(); // from now on nobody new
      await closeInOrder(
        [
          { what: 'sockets', close: screens.close, timeoutMs: config.drainWindowMs + 3000 },
          { what: 'http', close: () => closed },
          { what: 'feed', close: feed.close },
          { what: 'archive', close: archive.close },
          { what: 'tokens', close: tokens.close },
        ],
        logger,
      );
    },
  };
}

/** The live feed is WebSocket only, so that any number of instances needs no sticky sessions. */
function refusePolling(app: RequestListener): RequestListener {
  return (req: IncomingMessage, res: ServerResponse): void => {
    if (!/^\/socket\.io(\/|\?|$)/.test(req.url ?? '')) {
      app(req, res);
      return;
    }
    const detail = "This is no WebSocket: set `transports: ['websocket']`.";
    sendProblem(res, problem('upgrade_required', { detail }), readContext(req).requestId);
  };
}
