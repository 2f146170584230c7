import { createSealer } from '@comanda/shared/crypto/seal';
import { createApi } from '@comanda/shared/http/api';
import { serve } from '@comanda/shared/http/serve';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { connectMongo, mongoProblem } from '@comanda/shared/mongo/connection';
import { connectRedis, redisProblem } from '@comanda/shared/redis/connection';
import { closeInOrder } from '@comanda/shared/runtime/lifecycle';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import type { Logger } from '@comanda/shared/runtime/logger';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import type { AuthStepupConfig } from './config.ts';
import { createKeyKeeper } from './keys/key-keeper.ts';
import { keyRoutes } from './keys/key-routes.ts';
import { createKeyStore } from './keys/key-store.ts';
import { createHasher } from './passwords/hasher.ts';
import { peopleRoutes } from './people/people-routes.ts';
import { createUserStore } from './people/user-store.ts';
import { createAccessTokens } from './sessions/access-token.ts';
import { createRefreshTokens } from './sessions/refresh-token.ts';
import { createSessionStore } from './sessions/session-store.ts';

const dayMs = 24 * 3600_000;

/** `clock` is the time in milliseconds since the epoch, for everything that the service decides by time. */
export async function startAuthStepup(
  config: AuthStepupConfig,
  logger: Logger,
  clock: () => number = Date.now,
): Promise<Running> {
  const metrics = createMetrics('auth-stepup');
  const sealer = createSealer(config.keySealingSecret);
  const mongo = connectMongo({
    uri: config.mongodbUri,
    database: config.mongodbDatabase,
    logger,
    prepare: async () => {
      await Promise.all([keyStore.prepare(), users.prepare(), sessionStore.prepare()]);
      await keys.refresh();
    },
  });
  const redis = connectRedis({ url: config.redisUrl, prefix: config.redisPrefix, timeoutMs: 1000, logger });
  const keyStore = createKeyStore(mongo.connection, { sealer, logger });
  const users = createUserStore(mongo.connection);
  const sessionStore = createSessionStore(mongo.connection);

  const keys = createKeyKeeper({ store: keyStore, everyMs: config.keyRotationDays * dayMs, logger, clock });
  const issued = { issuer: config.tokenIssuer, audience: config.tokenAudience };
  const tokens = createTokenVerifier({ ...issued, readKeySet: async () => keys.keySet(), logger, now: clock });
  const hasher = createHasher({ workers: config.hashWorkers, queue: config.hashQueue, metrics });
  const sessions = {
    store: sessionStore,
    users,
    refreshTokens: createRefreshTokens(sealer.derive('refresh-tokens')),
    accessTokens: createAccessTokens({ ...issued, keys, clock }),
    isSeated: async () => false,
    logger,
    clock,
  };
  const api = createApi({
    logger,
    metrics,
    tokens,
    translate: [mongoProblem, redisProblem],
    dependencies: [
      { name: 'mongodb', need: 'hard', isUp: mongo.isUp },
      { name: 'redis', need: 'soft', isUp: redis.isUp },
    ],
  });
  keyRoutes(api, keys);
  peopleRoutes(api, { people: { users, hasher, clock }, sessions });

  const listening = await serve(api.app, config);
  return {
    url: listening.url,
    close: () =>
      closeInOrder(
        [
          { what: 'HTTP', close: listening.close },
          { what: 'keys', close: keys.close },
          { what: 'tokens', close: tokens.close },
          { what: 'hasher', close: hasher.close },
          { what: 'users', close: users.close },
          { what: 'MongoDB', close: mongo.close },
          { what: 'Redis', close: redis.close },
        ],
        logger,
      ),
  };
}
