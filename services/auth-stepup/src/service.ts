import { eventTypesOf } from '@comanda/contracts/events';
import { createSealer } from '@comanda/shared/crypto/seal';
import { createSigningKeys } from '@comanda/shared/crypto/signing-keys';
import { createApi } from '@comanda/shared/http/api';
import { serve } from '@comanda/shared/http/serve';
import { createServiceClient } from '@comanda/shared/http/service-client';
import { createConsume } from '@comanda/shared/http/step-up';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { createOutbox } from '@comanda/shared/messaging/outbox';
import { createOutboxStore } from '@comanda/shared/messaging/outbox-store';
import { createPublisher } from '@comanda/shared/messaging/publisher';
import { connectMongo, mongoProblem } from '@comanda/shared/mongo/connection';
import { assertPrepared } from '@comanda/shared/mongo/prepare-database';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import { connectRedis, redisProblem } from '@comanda/shared/redis/connection';
import { watchRedis } from '@comanda/shared/redis/watch-redis';
import type { Clock } from '@comanda/shared/runtime/clock';
import { createDrain } from '@comanda/shared/runtime/drain';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import type { Logger } from '@comanda/shared/runtime/logger';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import { createShutdown } from '@comanda/shared/runtime/shutdown';
import { versionOf } from '@comanda/shared/runtime/version';
import { openTracer } from '@comanda/shared/tracing/open-tracer';
import type { AuthStepupConfig } from './config.ts';
import { createConsentKeyStore } from './keys/consent-key-store.ts';
import { createKeyKeeper } from './keys/key-keeper.ts';
import { registerKeyRoutes } from './keys/key-routes.ts';
import { createKeyStore } from './keys/key-store.ts';
import { createReceiptKeys } from './keys/receipt-keys.ts';
import { createLimitStore, type LimitStore } from './limits/limit-store.ts';
import { createSignInLimits } from './limits/sign-in-limits.ts';
import { createHasherMetrics } from './passwords/hasher-metrics.ts';
import { productionHashCost } from './passwords/hasher.ts';
import { createPasswordHasher } from './passwords/password-hasher.ts';
import { createPinCheckStore } from './pin/pin-check-store.ts';
import { openPinHasher } from './pin/pin-hasher.ts';
import { createPinResetApprovalStore } from './pin/pin-reset-approval-store.ts';
import type { PinRequester } from './pin/pin-requester.ts';
import { registerPinRoutes } from './pin/pin-routes.ts';
import { createPinStore } from './pin/pin-store.ts';
import { authStepupPreparation } from './preparation.ts';
import { createAuditStore } from './security-log/audit-store.ts';
import { createSecurityEventRecorder } from './security-log/record-security-event.ts';
import { createSpentTokenRecorder } from './security-log/record-spent-tokens.ts';
import { registerSecurityLogRoutes } from './security-log/security-log-routes.ts';
import { createSecurityLogStore } from './security-log/security-log-store.ts';
import { createAuditedWriter } from './security-log/write-audited.ts';
import { createAccessTokens } from './sessions/access-token.ts';
import { assertLiveSession } from './sessions/live-session.ts';
import { createDevices } from './sessions/device-cookie.ts';
import { createRefreshTokens } from './sessions/refresh-token.ts';
import { registerSessionRoutes } from './sessions/session-routes.ts';
import { createSessionStore } from './sessions/session-store.ts';
import { consumeStepUp } from './step-up/consume-step-up.ts';
import { registerStepUpRoutes } from './step-up/step-up-routes.ts';
import { createConsentSigner } from './step-up/sign-consent.ts';
import { createStepUpTokenStore } from './step-up/step-up-token-store.ts';
import { createStepUpTokens } from './step-up/step-up-token.ts';
import { createStopStore } from './stops/stop-store.ts';
import { registerStopRoutes } from './stops/stop-routes.ts';
import { createGuestStore } from './tables/guest-store.ts';
import { registerTableRoutes } from './tables/table-routes.ts';
import { createTableStore } from './tables/table-store.ts';
import { createTableWriter } from './tables/write-tables.ts';
import { createTableTokens } from './tables/table.ts';
import { registerTabletRoutes } from './tablets/tablet-routes.ts';
import { createTabletStores } from './tablets/tablet-stores.ts';
import { registerUserRoutes } from './users/user-routes.ts';
import { createUserStore } from './users/user-store.ts';
import { userNotActive } from './users/user.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/**
 * How long a Redis command may take, in milliseconds. Leaves time for one hash, so that the caller still gets a 503 within 2 s.
 */
const redisTimeoutMs = 800;
/** How long a limit may wait for Redis, in milliseconds. Short, because a slow count must not delay the request. */
const limitsTimeoutMs = 50;

/**
 * Starts the service. It listens immediately, and connects to its database, Redis and its broker in the background. `clock`
 * returns the time for all decisions; `hashCost` is the bcrypt cost.
 */
export async function startAuthStepup(
  config: AuthStepupConfig,
  logger: Logger,
  { clock = Date.now, hashCost = productionHashCost }: { clock?: Clock; hashCost?: number } = {},
): Promise<Running> {
  const { tokenIssuer: issuer, tokenAudience: audience } = config;
  const metrics = createMetrics('auth-stepup');
  const drain = createDrain();
  const shutdown = createShutdown(logger);
  const release = versionOf(import.meta.url);
  const tracer = openTracer({ config, service: 'auth-stepup', version: release, logger, metrics });
  shutdown.add('traces', tracer.close);
  const sealer = createSealer(config.keySealingSecret);

  const consentKeys = createSigningKeys();
  const keys = createKeyKeeper({ everyMs: config.keyRotationDays * dayMs, logger, clock });
  const mongo = connectMongo({
    uri: config.mongodbUri,
    database: config.mongodbDatabase,
    logger,
    onConnect: async (connection) => {
      await assertPrepared(connection, authStepupPreparation);
      const keyStore = createKeyStore(connection, { sealer, logger });
      await keyStore.resealOutdated();
      await keys.refresh(keyStore);
      const consentKeyStore = createConsentKeyStore(connection, { sealer, logger });
      consentKeys.set(await consentKeyStore.getSigningKeys(new Date(clock())));
    },
  });
  shutdown.add('mongodb', mongo.close);
  // Added after MongoDB, so that the keys stop refreshing before the connection closes.
  shutdown.add('keys', keys.close);
  const { connection } = mongo;
  const transactions = createTransactions({ connection, isUp: mongo.isUp, logger });
  shutdown.add('transactions', transactions.close);

  const redisOptions = { url: config.redisUrl, prefix: config.redisPrefix, logger };
  const redis = connectRedis({ ...redisOptions, timeoutMs: redisTimeoutMs });
  shutdown.add('redis', redis.close);
  const appendOnlyFile = config.nodeEnv === 'production' ? 'required' : 'optional';
  const redisWatch = watchRedis({ link: redis, appendOnlyFile, logger });
  shutdown.add('checks of Redis', redisWatch.close);
  const limitsRedis = connectRedis({ ...redisOptions, timeoutMs: limitsTimeoutMs });
  shutdown.add('redis of limits', limitsRedis.close);
  const publisher = createPublisher({ url: config.rabbitmqUrl, name: 'auth-stepup', logger });
  shutdown.add('rabbitmq', () => publisher.close());

  const users = createUserStore({ connection, transactions });
  shutdown.add('user insertions', users.close);
  const common = { types: eventTypesOf('/auth-stepup'), isReady: mongo.isUp, publisher, logger, metrics, tracer };
  const openOutbox = (name: string, { collection }: { collection: Parameters<typeof createOutboxStore>[0] }) => {
    const outbox = createOutbox({ name, store: createOutboxStore(collection, clock), ...common });
    shutdown.add(`outbox of ${name}`, outbox.close);
    return outbox;
  };
  const outbox = openOutbox('users', users);
  const sessions = createSessionStore(connection);
  const tables = createTableStore(connection);
  const tableOutbox = openOutbox('tables', tables);
  const writeTables = createTableWriter({ transactions, tables, outbox: tableOutbox, clock });
  const guests = createGuestStore(connection);
  const stops = createStopStore(connection);
  const stopOutbox = openOutbox('stops', stops);
  const securityLog = createSecurityLogStore(connection);
  const audit = createAuditStore(connection);
  const writeAudited = createAuditedWriter({ transactions, audit });
  const pins = createPinStore(connection);
  const approvals = createPinResetApprovalStore({ connection, writeAudited, pins, users });
  const pinChecks = createPinCheckStore(redis.client);
  const stepUpTokenStore = createStepUpTokenStore(redis.client);

  const service = { name: 'auth-stepup', secret: config.serviceSecret } as const;
  const calls = { service, tracer, timeoutMs: 1500 };
  const transfers = createServiceClient({ url: config.transfersUrl, ...calls });
  shutdown.add('calls to transfers', transfers.close);
  const orders = createServiceClient({ url: config.ordersUrl, ...calls });
  shutdown.add('calls to orders', orders.close);
  const receiptKeys = createReceiptKeys({ transfers, logger });
  shutdown.add('receipt keys', receiptKeys.close);
  const verifier = createTokenVerifier({ issuer, audience, findKey: keys.verifier, logger, clock });
  shutdown.add('token keys', verifier.close);
  const hasherMetrics = createHasherMetrics(metrics);
  const hasher = createPasswordHasher({
    cost: hashCost,
    maxThreads: config.hashWorkers,
    maxWaiting: config.hashQueue,
    maxWaitMs: config.hashWaitMs,
    metrics: hasherMetrics,
  });
  shutdown.add('hasher of passwords', hasher.close);
  const pinHasher = openPinHasher({
    cost: hashCost,
    maxThreads: config.pinHashWorkers,
    maxWaiting: config.pinHashQueue,
    maxWaitMs: config.pinHashWaitMs,
    peppers: config.pinPepper,
    metrics: hasherMetrics,
  });
  shutdown.add('hasher of PINs', pinHasher.close);
  const limitOf = (name: string, maxUses: number, windowMs = minuteMs): LimitStore =>
    createLimitStore({ redis: limitsRedis.client, name, maxUses, windowMs, logger, clock });
  const limits = createSignInLimits({
    signIns: limitOf('sign-in', config.signInLimit),
    signInsOfAddress: limitOf('sign-in-address', config.addressSignInLimit),
    registrations: limitOf('registration', config.registrationLimit),
    wrongPasswords: limitOf('sign-in-failures', config.signInFailuresLimit, hourMs),
    guests: limitOf('guest', config.guestLimit),
    refreshesOfSession: limitOf('refresh', config.refreshLimit),
    forgedRefreshesOfAddress: limitOf('refresh-forged', config.forgedRefreshLimit),
  });
  const recordSecurityEvent = createSecurityEventRecorder({ store: securityLog, metrics, logger, clock });
  const spentTokens = createSpentTokenRecorder({ store: securityLog, logger, clock });
  shutdown.add('events of spent tokens', spentTokens.close);
  const stepUpTokens = createStepUpTokens({ keys, issuer, clock });
  const signConsent = createConsentSigner({ signer: consentKeys.signer, issuer, clock });
  const stepUpDeps = { stepUpTokens, stepUpTokenStore, signConsent, recordSpentToken: spentTokens.record };
  const accountDeps = {
    users,
    guests,
    sessions,
    tables,
    ...createTabletStores(connection, redis.client),
    stops,
    areSignUpsStopped: async () => (await stops.get()).sign_ups !== null,
    writeTables,
    pinChecks,
    hasher,
    limits,
    maxWrongPasswords: config.passwordMaxFailures,
    refreshTokens: createRefreshTokens(sealer.derive('refresh-tokens')),
    devices: createDevices(sealer.derive('device-cookies')),
    accessTokens: createAccessTokens({ issuer, audience, keys, clock }),
    sessionLengths: { userMs: config.sessionDays * dayMs, managerMs: config.managerSessionHours * hourMs },
    recordSecurityEvent,
    writeAudited,
    logger,
    clock,
  };
  const pinDeps = {
    ...accountDeps,
    pins,
    approvals,
    pinHasher,
    rules: { signInAfterBlock: config.pinSignInAfterBlock, maxLifetimeFailures: config.pinLifetimeFailures },
    // The session was already checked when the request arrived.
    consume: createConsume(async (body, { caller: { userId: id } }) => {
      const user = await users.findById(id);
      if (user?.status !== 'active') throw userNotActive();
      return consumeStepUp(stepUpDeps, { user, body, sender: 'auth-stepup' });
    }),
    publishNow: outbox.publishNow,
    assertLiveSession: (caller: PinRequester['caller']) => assertLiveSession(accountDeps, caller),
  };

  const api = createApi({
    logger,
    version: release,
    metrics,
    tracer,
    tokens: verifier,
    translate: [mongoProblem, redisProblem],
    dependencies: [
      drain.dependency,
      { name: 'mongodb', need: 'hard', isUp: mongo.isUp },
      { name: 'redis', need: 'soft', isUp: redis.isUp, warnings: redisWatch.warnings },
      { name: 'redis scripts', need: 'hard', isUp: redisWatch.mayRunScripts },
      { name: 'rabbitmq', need: 'soft', isUp: publisher.isUp },
    ],
    callerSecrets: config.callerSecrets,
    trustedProxies: config.trustedProxies,
    assertLive: (caller) => assertLiveSession(accountDeps, caller),
  });
  registerKeyRoutes(api, { keys, consentKeys, receiptKeys });
  registerUserRoutes(api, {
    ...pinDeps,
    staffUrl: config.staffUrl || config.publicUrl,
    voidStepUpTokens: (userId, version) => pinChecks.raiseMinPinVersion(userId, { version, attempts: 'keep' }),
  });
  const tableTokens = createTableTokens(sealer.derive('table-tokens'));
  const { seatingOpenedBy } = config;
  registerSessionRoutes(api, { ...accountDeps, pinHasher, tableTokens, seatingOpenedBy });
  registerTableRoutes(api, {
    ...accountDeps,
    orders,
    tableOutbox,
    tableCleaning: config.tableCleaning === 'on',
    tableTokens,
    publicUrl: config.publicUrl,
  });
  registerTabletRoutes(api, pinDeps);
  registerPinRoutes(api, pinDeps);
  registerStepUpRoutes(api, {
    ...pinDeps,
    ...stepUpDeps,
    tokens: verifier,
    tracer,
    detailsRequired: config.stepUpDetailsRequired,
  });
  registerStopRoutes(api, { ...pinDeps, stopOutbox });
  registerSecurityLogRoutes(api, { securityLog, audit });

  const { url, close } = await serve(api.app, { ...config, drain });
  shutdown.add('http', close);
  return { url, drain, close: shutdown.close };
}
