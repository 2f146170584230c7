import { createApi } from '@comanda/shared/http/api';
import { serve } from '@comanda/shared/http/serve';
import { createServiceClient } from '@comanda/shared/http/service-client';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { mongoProblem } from '@comanda/shared/mongo/connection';
import { redisProblem } from '@comanda/shared/redis/connection';
import type { Clock } from '@comanda/shared/runtime/clock';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import type { Logger } from '@comanda/shared/runtime/logger';
import { versionOf } from '@comanda/shared/runtime/version';
import type { AuthStepupConfig } from './config.ts';
import { registerKeyRoutes } from './keys/key-routes.ts';
import { createReceiptKeys } from './keys/receipt-keys.ts';
import { openSignInLimits } from './limits/open-sign-in-limits.ts';
import { openAuthInfrastructure } from './open-infrastructure.ts';
import { productionHashCost } from './passwords/hasher.ts';
import { openHashers } from './passwords/open-hashers.ts';
import type { CheckPinDeps } from './pin/check-pin.ts';
import type { PinRequester } from './pin/pin-requester.ts';
import { registerPinRoutes } from './pin/pin-routes.ts';
import { createSecurityEventRecorder } from './security-log/record-security-event.ts';
import { createSpentTokenRecorder } from './security-log/record-spent-tokens.ts';
import { registerSecurityLogRoutes } from './security-log/security-log-routes.ts';
import { createAccessTokens } from './sessions/access-token.ts';
import { createDevices } from './sessions/device-cookie.ts';
import { assertLiveSession, type LiveSessionDeps } from './sessions/live-session.ts';
import { createRefreshTokens } from './sessions/refresh-token.ts';
import { registerSessionRoutes } from './sessions/session-routes.ts';
import { registerSetupRoutes } from './setup/setup-routes.ts';
import { createOwnConsume, type ConsumeStepUpDeps } from './step-up/consume-step-up.ts';
import { createConsentSigner } from './step-up/sign-consent.ts';
import { registerStepUpRoutes } from './step-up/step-up-routes.ts';
import { createStepUpTokens } from './step-up/step-up-token.ts';
import { registerStopRoutes } from './stops/stop-routes.ts';
import { registerTableRoutes } from './tables/table-routes.ts';
import { createTableTokens } from './tables/table.ts';
import { registerTabletRoutes } from './tablets/tablet-routes.ts';
import type { CheckPasswordDeps } from './users/check-password.ts';
import { registerUserRoutes } from './users/user-routes.ts';

const hourMs = 3600_000;

/**
 * Starts the service. It listens immediately, and connects to its database, Redis and its broker in the background. `clock`
 * returns the time for all decisions; `hashCost` is the bcrypt cost.
 */
export async function startAuthStepup(
  config: AuthStepupConfig,
  logger: Logger,
  { clock = Date.now, hashCost = productionHashCost }: { clock?: Clock; hashCost?: number } = {},
): Promise<Running> {
  const version = versionOf(import.meta.url);
  const { tokenIssuer: issuer, tokenAudience: audience, publicUrl } = config;
  const service = { name: 'auth-stepup', secret: config.serviceSecret } as const;

  const infrastructure = openAuthInfrastructure({ config, version, logger, clock });
  const { drain, shutdown, metrics, tracer, stores, unitOfWork, sealer, keys, consentKeys } = infrastructure;
  const { users, setup, sessions, guests, tables, tablets, tabletPins, stops, pins, pinChecks, securityLog, audit } =
    stores;
  const calls = { service, tracer, timeoutMs: 1500 };
  const transfers = createServiceClient({ url: config.transfersUrl, ...calls });
  shutdown.add('calls to transfers', transfers.close);
  const orders = createServiceClient({ url: config.ordersUrl, ...calls });
  shutdown.add('calls to orders', orders.close);
  const receiptKeys = createReceiptKeys({ transfers, logger });
  shutdown.add('receipt keys', receiptKeys.close);
  const tokens = createTokenVerifier({ issuer, audience, findKey: keys.verifier, logger, clock });
  shutdown.add('token keys', tokens.close);
  const { hasher, pinHasher } = openHashers({ config, hashCost, metrics, shutdown });
  const limits = openSignInLimits({ config, redis: infrastructure.limitsRedis, logger, clock });
  const recordSecurityEvent = createSecurityEventRecorder({ store: securityLog, metrics, logger, clock });
  const spentTokens = createSpentTokenRecorder({ store: securityLog, logger, clock });
  shutdown.add('events of spent tokens', spentTokens.close);

  const liveSessions = { users, guests, sessions, tablets } satisfies LiveSessionDeps;
  const assertLive = (caller: PinRequester['caller']) => assertLiveSession(liveSessions, caller);
  const passwordCheck = {
    users,
    hasher,
    limits,
    maxWrongPasswords: config.passwordMaxFailures,
    logger,
  } satisfies CheckPasswordDeps;
  const pinCheck = {
    users,
    pins,
    pinChecks,
    stops,
    pinHasher,
    rules: { signInAfterBlock: config.pinSignInAfterBlock, maxLifetimeFailures: config.pinLifetimeFailures },
    assertLiveSession: assertLive,
    publishNow: infrastructure.publishNow,
    recordSecurityEvent,
    logger,
    clock,
  } satisfies CheckPinDeps;
  const tokenUse = {
    stepUpTokens: createStepUpTokens({ keys, issuer, clock }),
    stepUpTokenStore: stores.stepUpTokenStore,
    signConsent: createConsentSigner({ signer: consentKeys.signer, issuer, clock }),
    recordSpentToken: spentTokens.record,
  } satisfies ConsumeStepUpDeps;
  const consume = createOwnConsume({ ...tokenUse, users });
  const beginsSessions = {
    sessions,
    refreshTokens: createRefreshTokens(sealer.derive('refresh-tokens')),
    devices: createDevices(sealer.derive('device-cookies')),
    accessTokens: createAccessTokens({ issuer, audience, keys, clock }),
    sessionLengths: { userMs: config.sessionDays * 24 * hourMs, managerMs: config.managerSessionHours * hourMs },
    unitOfWork,
    recordSecurityEvent,
    clock,
  };
  const tableTokens = createTableTokens(sealer.derive('table-tokens'));

  const api = createApi({
    logger,
    version,
    metrics,
    tracer,
    tokens,
    translate: [mongoProblem, redisProblem],
    dependencies: infrastructure.dependencies,
    callerSecrets: config.callerSecrets,
    trustedProxies: config.trustedProxies,
    assertLive,
  });
  registerKeyRoutes(api, { keys, consentKeys, receiptKeys });
  const staffUrl = config.staffUrl || publicUrl;
  registerUserRoutes(api, {
    users,
    stops,
    pinChecks,
    tabletPins,
    hasher,
    pinHasher,
    limits,
    consume,
    unitOfWork,
    recordSecurityEvent,
    staffUrl,
    clock,
  });
  registerSessionRoutes(api, {
    ...passwordCheck,
    ...beginsSessions,
    guests,
    tables,
    tableTokens,
    seatingOpenedBy: config.seatingOpenedBy,
    tablets,
    tabletPins,
    tabletAttempts: stores.tabletAttempts,
    pinHasher,
  });
  registerSetupRoutes(api, { ...beginsSessions, users, setup, hasher, limits, logger });
  registerTableRoutes(api, {
    users,
    tables,
    tableTokens,
    tableCleaning: config.tableCleaning === 'on',
    orders,
    unitOfWork,
    publicUrl,
    clock,
  });
  const stepUp = { consume, unitOfWork };
  registerTabletRoutes(api, {
    ...passwordCheck,
    ...stepUp,
    tablets,
    tabletPins,
    pinHasher,
    recordSecurityEvent,
    clock,
  });
  registerPinRoutes(api, { ...pinCheck, ...passwordCheck, ...stepUp, approvals: stores.approvals });
  const { stepUpDetailsRequired: detailsRequired } = config;
  registerStepUpRoutes(api, { ...pinCheck, ...tokenUse, ...liveSessions, tokens, tracer, detailsRequired });
  registerStopRoutes(api, { users, stops, consume, unitOfWork, clock });
  registerSecurityLogRoutes(api, { securityLog, audit });

  const { url, close } = await serve(api.app, { ...config, drain });
  shutdown.add('http', close);
  return { url, drain, close: shutdown.close };
}
