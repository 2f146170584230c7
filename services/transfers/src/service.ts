import { eventTypesOf } from '@comanda/contracts/events';
import { createSealer } from '@comanda/shared/crypto/seal';
import { createApi } from '@comanda/shared/http/api';
import { serve } from '@comanda/shared/http/serve';
import { askAuthStepup } from '@comanda/shared/http/ask-auth-stepup';
import { createConsume } from '@comanda/shared/http/step-up';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { createOutbox } from '@comanda/shared/messaging/outbox';
import { createPublisher } from '@comanda/shared/messaging/publisher';
import { connectMongo, mongoProblem } from '@comanda/shared/mongo/connection';
import { assertPrepared } from '@comanda/shared/mongo/prepare-database';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import type { Clock } from '@comanda/shared/runtime/clock';
import { createDrain } from '@comanda/shared/runtime/drain';
import { createKeyedMutex } from '@comanda/shared/runtime/keyed-mutex';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import type { Logger } from '@comanda/shared/runtime/logger';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import { createShutdown } from '@comanda/shared/runtime/shutdown';
import { versionOf } from '@comanda/shared/runtime/version';
import { openTracer } from '@comanda/shared/tracing/open-tracer';
import { createAccountDirectory } from './accounts/account-directory.ts';
import { registerAccountRoutes } from './accounts/account-routes.ts';
import { createAccountStore } from './accounts/account-store.ts';
import { createAccountVerifier } from './accounts/verify-account.ts';
import { askOrders } from './bill-payments/ask-orders.ts';
import { createAttemptStore } from './bill-payments/attempt-store.ts';
import { startAttemptSweep } from './bill-payments/attempt-sweep.ts';
import { createBillPaymentMetrics } from './bill-payments/bill-payment-metrics.ts';
import { registerBillPaymentRoutes } from './bill-payments/bill-payment-routes.ts';
import { createSettleNow } from './bill-payments/settle-attempt.ts';
import { createCheckpointMetrics } from './checkpoints/checkpoint-metrics.ts';
import { createCheckpointStore } from './checkpoints/checkpoint-store.ts';
import { startCheckpointTimer } from './checkpoints/checkpoint-timer.ts';
import type { TransfersConfig } from './config.ts';
import { createGroupRead } from './group-read.ts';
import { createIdStore } from './ids/id-store.ts';
import { transfersPreparation } from './preparation.ts';
import { registerReceiptRoutes } from './receipts/receipt-routes.ts';
import { createSigningKeyStore } from './receipts/signing-key-store.ts';
import { createSigningKeys } from '@comanda/shared/crypto/signing-keys';
import { createJournalStore, type UserRequest } from './transfers/journal-store.ts';
import { createLedger } from './transfers/ledger.ts';
import { createLedgerMetrics } from './transfers/ledger-metrics.ts';
import { registerTransferRoutes } from './transfers/transfer-routes.ts';
import { createTransferOutboxStore } from './transfers/transfer-outbox-store.ts';
import { createRowVerifier } from './transfers/verify-row.ts';

/** Number of rows after which an instance creates a checkpoint, even before `CHECKPOINT_EVERY_S` has passed. */
const checkpointEveryRows = 5000;
/** How often to look for attempts that no instance has ended. */
const sweepEveryMs = 2000;
/** Callers get a response within 2 s, even if a dependency is down. */
const maxResponseMs = 1800;

type Options = {
  /** Returns the time for all decisions, in milliseconds since the epoch. */
  clock?: Clock;
  /**
   * Time after which a call gets a 503 while its work continues, in milliseconds. Most tests allow more time; tests of outages do
   * not.
   */
  responseTimeLimitMs?: number;
};

/**
 * Starts the service. It listens immediately, and is ready when the database responds. It does not wait for the broker or
 * auth-stepup.
 */
export async function startTransfers(
  config: TransfersConfig,
  logger: Logger,
  { clock = Date.now, responseTimeLimitMs = maxResponseMs }: Options = {},
): Promise<Running> {
  const shutdown = createShutdown(logger);
  const metrics = createMetrics('transfers');
  const drain = createDrain();
  const version = versionOf(import.meta.url);
  const tracer = openTracer({ config, service: 'transfers', version, logger, metrics });
  shutdown.add('traces', tracer.close);

  const sealer = createSealer(config.keySealingSecret);
  const signingKeys = createSigningKeys();
  const mongo = connectMongo({
    uri: config.mongodbUri,
    database: config.mongodbDatabase,
    logger,
    onConnect: async (connection) => {
      await assertPrepared(connection, transfersPreparation);
      const keyStore = createSigningKeyStore(connection, { sealer, logger });
      signingKeys.set(await keyStore.getSigningKeys(new Date(clock())));
    },
  });
  shutdown.add('mongodb', mongo.close);
  const { connection, isUp } = mongo;
  const transactions = createTransactions({ connection, isUp, logger });
  shutdown.add('transactions', transactions.close);
  const { signer, trusted } = signingKeys;
  const nextAccountId = createIdStore(connection, { name: 'account', blockSize: 1 });
  const checkpointMetrics = createCheckpointMetrics(metrics);
  const countDefect = (): void => checkpointMetrics.countDefects(1);
  const verifyAccount = createAccountVerifier({ trusted, logger, countDefect });
  const accounts = createAccountStore(connection, { nextId: nextAccountId, signer, verify: verifyAccount });
  const verifyRow = createRowVerifier({ trusted, logger, countDefect });
  const journal = createJournalStore(connection, { signer, verify: verifyRow });
  const checkpoints = createCheckpointStore(connection);
  const accountReads = createGroupRead({ isUp, read: accounts.findUnverified });
  shutdown.add('account reads', accountReads.close);
  const directory = createAccountDirectory({ findDocument: accountReads.find, verify: verifyAccount });

  const service = { name: 'transfers', secret: config.serviceSecret } as const;
  const tokens = createTokenVerifier({
    jwksUrl: config.jwksUrl,
    service: service,
    issuer: config.tokenIssuer,
    audience: config.tokenAudience,
    logger,
    clock,
  });
  shutdown.add('token keys', tokens.close);
  const publisher = createPublisher({ url: config.rabbitmqUrl, name: 'transfers', logger });
  shutdown.add('rabbitmq', () => publisher.close());
  const outbox = createOutbox({
    name: 'transfers',
    store: createTransferOutboxStore({ journal, directory, verify: verifyRow, clock, logger }),
    types: eventTypesOf('/transfers'),
    isReady: isUp,
    publisher,
    logger,
    metrics,
    tracer,
  });
  shutdown.add('outbox', outbox.close);
  const authStepup = askAuthStepup(config.authStepupUrl, { service, tracer });
  shutdown.add('auth-stepup', authStepup.close);

  const orders = askOrders(config.ordersUrl, { service, tracer });
  shutdown.add('orders', orders.close);
  const attempts = createAttemptStore(connection);
  const billMetrics = createBillPaymentMetrics(metrics);
  const settling = { attempts, journal, orders, clock, logger, metrics: billMetrics };
  const sweep = startAttemptSweep({ ...settling, everyMs: sweepEveryMs, isUp });
  shutdown.add('attempt sweep', sweep.close);

  const checkpointTimer = startCheckpointTimer({
    accounts,
    journal,
    checkpoints,
    keys: signingKeys,
    everyMs: config.checkpointEveryS * 1000,
    everyRows: checkpointEveryRows,
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
    nextId: createIdStore(connection, { name: 'transfer', blockSize: 1000 }),
    signer,
    clock,
    isUp,
    countRows: checkpointTimer.countRows,
    publishNow: outbox.publishNow,
    metrics: createLedgerMetrics(metrics),
  });
  shutdown.add('ledger', ledger.close);
  const keyReads = createGroupRead({ isUp, read: journal.findUnverifiedByKeys });
  shutdown.add('idempotency key reads', keyReads.close);

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
    ],
    callerSecrets: config.callerSecrets,
  });
  registerAccountRoutes(api, {
    accounts,
    directory,
    ownerLocks: createKeyedMutex(),
    maxAccountsPerOwner: config.maxAccountsPerOwner,
    defaultCurrency: config.currency,
    clock,
  });
  const executing = {
    accounts,
    directory,
    journal,
    findRowByKey: async (request: UserRequest) => {
      const row = await keyReads.find(request);
      return row && verifyRow(row);
    },
    keyLocks: createKeyedMutex(),
    ledger,
    consume: createConsume(authStepup),
    clock,
    responseTimeLimitMs,
  };
  registerTransferRoutes(api, executing);
  registerBillPaymentRoutes(api, { ...executing, orders, attempts, settleNow: createSettleNow(settling) });
  registerReceiptRoutes(api, { signingKeys });
  const { url, close } = await serve(api.app, { ...config, drain });
  shutdown.add('http', close);
  return { url, drain, close: shutdown.close };
}
