import { endpoints } from '@comanda/contracts/registry';
import { createSealer } from '@comanda/shared/crypto/seal';
import { createApi } from '@comanda/shared/http/api';
import { serve } from '@comanda/shared/http/serve';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { createOutbox } from '@comanda/shared/messaging/outbox';
import { createOutboxStore } from '@comanda/shared/messaging/outbox-store';
import { createPublisher } from '@comanda/shared/messaging/publisher';
import { connectMongo, mongoProblem } from '@comanda/shared/mongo/connection';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import { connectRedis, redisProblem } from '@comanda/shared/redis/connection';
import { closeInOrder } from '@comanda/shared/runtime/lifecycle';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import type { Logger } from '@comanda/shared/runtime/logger';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import type { AuthStepupConfig } from './config.ts';
import { createApprovalStore } from './consent/approval-store.ts';
import { pinRoutes, stepUpRoutes } from './consent/consent-routes.ts';
import { createConsentStore } from './consent/consent-store.ts';
import { createPinHasher } from './consent/pin-hash.ts';
import { createPinStore } from './consent/pin-store.ts';
import { createStepUpTokens } from './consent/step-up-token.ts';
import { createKeyKeeper } from './keys/key-keeper.ts';
import { keyRoutes } from './keys/key-routes.ts';
import { createKeyStore } from './keys/key-store.ts';
import { createReceiptKeys } from './keys/receipt-keys.ts';
import { createLimit } from './limits/limit-store.ts';
import { createSignInLimits } from './limits/sign-in-limits.ts';
import { createHasher } from './passwords/hasher.ts';
import { selfRoutes, staffRoutes } from './people/people-routes.ts';
import { createUserStore } from './people/user-store.ts';
import { securityLogRoutes } from './security-log/log-routes.ts';
import { createNote } from './security-log/note.ts';
import { createSecurityLogStore } from './security-log/security-log-store.ts';
import { createAccessTokens } from './sessions/access-token.ts';
import { createRefreshTokens } from './sessions/refresh-token.ts';
import { createSessionStore } from './sessions/session-store.ts';
import { createTableStore } from './tables/table-store.ts';
import { createTableTokens } from './tables/table.ts';
import { tableRoutes } from './tables/table-routes.ts';

const dayMs = 24 * 3600_000;

/**
 * Starts the service; it listens at once and waits for its database, Redis and its broker. `clock` is the time in
 * milliseconds since the epoch, for all that the service decides by time.
 */
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
      await Promise.all(stores.map(({ prepare }) => prepare()));
      await keys.refresh();
    },
  });
  const { connection } = mongo;
  const connectTo = (timeoutMs: number) =>
    connectRedis({ url: config.redisUrl, prefix: config.redisPrefix, timeoutMs, logger });
  const redis = connectTo(1000);
  const limitsRedis = connectTo(50);
  const publisher = createPublisher({ url: config.rabbitmqUrl, name: 'auth-stepup', logger });
  const transactions = createTransactions({ connection, isUp: mongo.isUp, logger });

  const keyStore = createKeyStore(connection, { sealer, logger });
  const users = createUserStore({ connection, transactions });
  const sessionStore = createSessionStore(connection);
  const tables = createTableStore(connection);
  const approvals = createApprovalStore({ connection, transactions });
  const securityLog = createSecurityLogStore(connection);
  const stores = [keyStore, users, sessionStore, approvals, securityLog];
  const outbox = createOutbox({
    name: 'users',
    store: createOutboxStore(users.collection),
    isReady: mongo.isUp,
    publisher,
    logger,
    metrics,
  });
  const pins = createPinStore({ connection, onWritten: outbox.publishNow });
  const consent = createConsentStore(redis.client);

  const keys = createKeyKeeper({ store: keyStore, everyMs: config.keyRotationDays * dayMs, logger, clock });
  const receiptKeys = createReceiptKeys({ transfersUrl: config.transfersUrl, logger });
  const issued = { issuer: config.tokenIssuer, audience: config.tokenAudience };
  const verifier = createTokenVerifier({ ...issued, readKeySet: async () => keys.keySet(), logger, now: clock });
  const hasher = createHasher({ workers: config.hashWorkers, queue: config.hashQueue, metrics });
  const note = createNote({ log: securityLog, logger, clock });
  const limitOf = (name: string, most: number, windowMs: number) =>
    createLimit({ redis: limitsRedis.client, name, most, windowMs, logger, clock });
  const limits = createSignInLimits({
    signIns: limitOf('sign-in', config.signInLimit, 60_000),
    failures: limitOf('sign-in-failures', config.signInFailuresLimit, 3_600_000),
    guests: limitOf('guest', config.guestLimit, 60_000),
  });
  const sessions = {
    store: sessionStore,
    users,
    refreshTokens: createRefreshTokens(sealer.derive('refresh-tokens')),
    accessTokens: createAccessTokens({ ...issued, keys, clock }),
    tables,
    note,
    clock,
  };
  const api = createApi({
    logger,
    metrics,
    tokens: verifier,
    translate: [mongoProblem, redisProblem],
    dependencies: [
      { name: 'mongodb', need: 'hard', isUp: mongo.isUp },
      { name: 'redis', need: 'soft', isUp: redis.isUp },
      { name: 'rabbitmq', need: 'soft', isUp: publisher.isUp },
    ],
    trustedProxies: config.trustedProxies,
  });
  const people = { users, hasher, limits, sessions, consent, note, clock };
  const consentDesk = {
    ...people,
    store: consent,
    pins,
    approvals,
    logger,
    pinHasher: createPinHasher(hasher, config.pinPepper),
    rules: { signInAfterBlock: config.pinSignInAfterBlock, lifetimeFailures: config.pinLifetimeFailures },
    tokens: createStepUpTokens({ keys, issuer: config.tokenIssuer, clock }),
    whoMay: new Map(endpoints.flatMap(({ stepUp, who }) => (stepUp === undefined ? [] : [[stepUp, who] as const]))),
    detailsRequired: config.stepUpDetailsRequired,
  };
  const tableTokens = createTableTokens(sealer.derive('table-tokens'));
  keyRoutes(api, { keys, receiptKeys });
  selfRoutes(api, people);
  staffRoutes(api, people);
  tableRoutes(api, { hall: { ...people, tables, tokens: tableTokens }, publicUrl: config.publicUrl });
  pinRoutes(api, consentDesk);
  stepUpRoutes(api, consentDesk);
  securityLogRoutes(api, securityLog);

  const { url, close } = await serve(api.app, config);
  return {
    url,
    close: () =>
      closeInOrder(
        [
          { what: 'http', close },
          { what: 'keys', close: keys.close },
          { what: 'receipt keys', close: receiptKeys.close },
          { what: 'token keys', close: verifier.close },
          { what: 'hasher', close: hasher.close },
          { what: 'registrations', close: users.close },
          { what: 'outbox', close: outbox.close },
          { what: 'rabbitmq', close: () => publisher.close() },
          { what: 'transactions', close: transactions.close },
          { what: 'mongodb', close: mongo.close },
          { what: 'redis', close: redis.close },
          { what: 'redis of limits', close: limitsRedis.close },
        ],
        logger,
      ),
  };
}
