import { createSealer } from '@comanda/shared/crypto/seal';
import { createSigningKeys } from '@comanda/shared/crypto/signing-keys';
import { createApi } from '@comanda/shared/http/api';
import { askAuthStepup } from '@comanda/shared/http/ask-auth-stepup';
import { serve } from '@comanda/shared/http/serve';
import { createConsume } from '@comanda/shared/http/step-up';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { mongoProblem } from '@comanda/shared/mongo/connection';
import { assertPrepared } from '@comanda/shared/mongo/prepare-database';
import type { Clock } from '@comanda/shared/runtime/clock';
import { createKeyedMutex } from '@comanda/shared/runtime/keyed-mutex';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import type { Logger } from '@comanda/shared/runtime/logger';
import { openInfrastructure } from '@comanda/shared/service/open-infrastructure';
import { versionOf } from '@comanda/shared/runtime/version';
import { createAccountDirectory } from './accounts/account-directory.ts';
import { registerAccountRoutes } from './accounts/account-routes.ts';
import { createAccountStore } from './accounts/account-store.ts';
import { createAccountVerifier } from './accounts/verify-account.ts';
import { askOrders } from './bill-payments/ask-orders.ts';
import { createAttemptStore } from './bill-payments/attempt-store.ts';
import { startAttemptSweep } from './bill-payments/attempt-sweep.ts';
import { createBillPaymentMetrics } from './bill-payments/bill-payment-metrics.ts';
import { registerBillPaymentRoutes } from './bill-payments/bill-payment-routes.ts';
import { createCheckpointMetrics } from './checkpoints/checkpoint-metrics.ts';
import { createCheckpointStore } from './checkpoints/checkpoint-store.ts';
import { startCheckpointTimer } from './checkpoints/checkpoint-timer.ts';
import type { TransfersConfig } from './config.ts';
import { createGroupRead } from './group-read.ts';
import { createIdStore } from './ids/id-store.ts';
import { openPix } from './pix/open-pix.ts';
import { registerPixRoutes } from './pix/pix-routes.ts';
import { transfersPreparation } from './preparation.ts';
import { registerReceiptRoutes } from './receipts/receipt-routes.ts';
import { createSigningKeyStore } from './receipts/signing-key-store.ts';
import { requestInProgress } from './transfers/idempotency.ts';
import { createJournalStore, type UserRequest } from './transfers/journal-store.ts';
import { createLedger } from './transfers/ledger.ts';
import { createLedgerMetrics } from './transfers/ledger-metrics.ts';
import { registerTransferRoutes } from './transfers/transfer-routes.ts';
import { createTransferOutboxStore } from './transfers/transfer-outbox-store.ts';
import { createRowVerifier } from './transfers/verify-row.ts';

type Options = {
  /** Returns the current time in milliseconds since the epoch. All decisions use it. */
  clock?: Clock;
  /**
   * The time after which a call gets a 503 while its work continues, in milliseconds. Callers must get a response within 2 s,
   * even during an outage. Most tests set more.
   */
  responseTimeLimitMs?: number;
};

/**
 * Starts the service. It listens immediately, and is ready as soon as the database responds. It does not wait for the broker or
 * auth-stepup.
 */
export async function startTransfers(
  config: TransfersConfig,
  logger: Logger,
  { clock = Date.now, responseTimeLimitMs = 1800 }: Options = {},
): Promise<Running> {
  const version = versionOf(import.meta.url);
  const sealer = createSealer(config.keySealingSecret);
  const signingKeys = createSigningKeys();
  const { signer, trusted } = signingKeys;
  const { drain, metrics, shutdown, tracer, mongo, transactions, publisher, openOutbox } = openInfrastructure({
    service: 'transfers',
    version,
    config,
    logger,
    onConnect: async (connection) => {
      await assertPrepared(connection, transfersPreparation);
      const keyStore = createSigningKeyStore(connection, { sealer, logger });
      signingKeys.set(await keyStore.getSigningKeys(new Date(clock())));
    },
  });
  const { connection, isUp } = mongo;

  const checkpointMetrics = createCheckpointMetrics(metrics);
  const verifying = { trusted, logger, countDefect: () => checkpointMetrics.countDefects(1) };
  const verifyAccount = createAccountVerifier(verifying);
  const verifyRow = createRowVerifier(verifying);
  const nextAccountId = createIdStore(connection, { name: 'account', blockSize: 1 });
  const nextTransferId = createIdStore(connection, { name: 'transfer', blockSize: 1000 });
  const accounts = createAccountStore(connection, { nextId: nextAccountId, signer, verify: verifyAccount });
  const journal = createJournalStore(connection, { signer, verify: verifyRow });
  const attempts = createAttemptStore(connection);
  const checkpoints = createCheckpointStore(connection);
  const accountReads = createGroupRead({ isUp, read: accounts.findUnverified });
  shutdown.add('account reads', accountReads.close);
  const keyReads = createGroupRead({ isUp, read: journal.findUnverifiedByKeys });
  shutdown.add('idempotency key reads', keyReads.close);
  const directory = createAccountDirectory({ findDocument: accountReads.find, verify: verifyAccount });

  const service = { name: 'transfers', secret: config.serviceSecret } as const;
  const { jwksUrl, tokenIssuer: issuer, tokenAudience: audience } = config;
  const tokens = createTokenVerifier({ jwksUrl, service, issuer, audience, logger, clock });
  shutdown.add('token keys', tokens.close);
  const authStepup = askAuthStepup(config.authStepupUrl, { service, tracer });
  shutdown.add('auth-stepup', authStepup.close);
  const orders = askOrders(config.ordersUrl, { service, tracer });
  shutdown.add('orders', orders.close);

  const outboxStore = createTransferOutboxStore({ journal, directory, verify: verifyRow, clock, logger });
  const outbox = openOutbox('transfers', outboxStore);
  const settling = { attempts, journal, orders, clock, logger, metrics: createBillPaymentMetrics(metrics) };
  const sweep = startAttemptSweep({ ...settling, everyMs: 2000, isUp });
  shutdown.add('attempt sweep', sweep.close);
  const { routes: pixRoutes, dependencies: pixDependencies } = openPix({
    config,
    connection,
    isUp,
    openOutbox,
    service,
    signer,
    sealer,
    tracer,
    metrics,
    shutdown,
    clock,
    logger,
  });
  const checkpointTimer = startCheckpointTimer({
    accounts,
    journal,
    checkpoints,
    keys: signingKeys,
    everyMs: config.checkpointEveryS * 1000,
    everyRows: 5000,
    isUp,
    clock,
    logger,
    metrics: checkpointMetrics,
  });
  shutdown.add('checkpoint timer', checkpointTimer.close);
  const ledger = createLedger({
    accounts,
    journal,
    transactions,
    nextId: nextTransferId,
    signer,
    clock,
    isUp,
    countRows: checkpointTimer.countRows,
    publishNow: outbox.publishNow,
    metrics: createLedgerMetrics(metrics),
  });
  shutdown.add('ledger', ledger.close);

  const api = createApi({
    logger,
    version,
    metrics,
    tracer,
    tokens,
    translate: [mongoProblem],
    dependencies: [
      drain.dependency,
      tokens.dependency,
      { name: 'mongodb', need: 'hard', isUp, warnings: checkpointTimer.warnings },
      { name: 'rabbitmq', need: 'soft', isUp: publisher.isUp },
      ...pixDependencies,
    ],
    callerSecrets: config.callerSecrets,
  });
  registerAccountRoutes(api, {
    accounts,
    directory,
    ownerLocks: createKeyedMutex({ onTimeout: requestInProgress }),
    maxAccountsPerOwner: config.maxAccountsPerOwner,
    defaultCurrency: config.currency,
    clock,
  });
  const posting = {
    accounts,
    directory,
    journal,
    keyLocks: createKeyedMutex<string>({ onTimeout: requestInProgress }),
    findRowByKey: async (request: UserRequest) => {
      const row = await keyReads.find(request);
      return row && verifyRow(row);
    },
    ledger,
    consume: createConsume(authStepup),
    clock,
    responseTimeLimitMs,
  };
  registerTransferRoutes(api, posting);
  registerBillPaymentRoutes(api, { ...posting, ...settling });
  registerPixRoutes(api, { ...pixRoutes, ...posting, logger });
  registerReceiptRoutes(api, { signingKeys });
  const http = await serve(api.app, { ...config, drain });
  shutdown.add('http', http.close);
  return { url: http.url, drain, close: shutdown.close };
}
