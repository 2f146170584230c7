import { createApi } from '@comanda/shared/http/api';
import { serve } from '@comanda/shared/http/serve';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { connectMongo, mongoProblem } from '@comanda/shared/mongo/connection';
import { closeInOrder } from '@comanda/shared/runtime/lifecycle';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import type { Logger } from '@comanda/shared/runtime/logger';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import type { TransfersConfig } from './config.ts';

/** Starts the service; it listens at once and waits for its database. */
export async function startTransfers(config: TransfersConfig, logger: Logger): Promise<Running> {
  const metrics = createMetrics('transfers');
  const mongo = connectMongo({
    uri: config.mongodbUri,
    database: config.mongodbDatabase,
    logger,
    prepare: () => Promise.resolve(),
  });
  const tokens = createTokenVerifier({
    jwksUrl: config.jwksUrl,
    issuer: config.tokenIssuer,
    audience: config.tokenAudience,
    logger,
  });
  const { app } = createApi({
    logger,
    metrics,
    tokens,
    translate: [mongoProblem],
    dependencies: [{ name: 'mongodb', need: 'hard', isUp: mongo.isUp }],
  });
  const { url, close } = await serve(app, config);
  return {
    url,
    close: () =>
      closeInOrder(
        [
          { what: 'http', close },
          { what: 'token keys', close: tokens.close },
          { what: 'mongodb', close: mongo.close },
        ],
        logger,
      ),
  };
}
