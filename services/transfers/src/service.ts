import { createSealer } from '@comanda/shared/crypto/seal';
import { createApi } from '@comanda/shared/http/api';
import { serve } from '@comanda/shared/http/serve';
import { askAuthStepup, createConsume } from '@comanda/shared/http/step-up';
import { createTokenVerifier } from '@comanda/shared/http/token-verifier';
import { createOutbox } from '@comanda/shared/messaging/outbox';
import { createOutboxStore } from '@comanda/shared/messaging/outbox-store';
import { createPublisher } from '@comanda/shared/messaging/publisher';
import { connectMongo, mongoProblem } from '@comanda/shared/mongo/connection';
import { createGroupRead } from '@comanda/shared/mongo/group-read';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import { closeInOrder } from '@comanda/shared/runtime/lifecycle';
import type { Running } from '@comanda/shared/runtime/lifecycle';
import type { Logger } from '@comanda/shared/runtime/logger';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import { createAccountDirectory } from './accounts/account-directory.ts';
import { serveAccounts } from './accounts/account-routes.ts';
import { createAccountStore } from './accounts/account-store.ts';
import { startCheckpoints } from './checkpoints/checkpoint-clock.ts';
import { createCheckpointStore } from './checkpoints/checkpoint-store.ts';
import { makeCheckpoint, periodOf } from './checkpoints/make-checkpoint.ts';
import type { TransfersConfig } from './config.ts';
import { createIds } from './ids/id-store.ts';
import { createSigningKeyStore } from './receipts/signing-key-store.ts';
import { createSigningKeys } from './receipts/signing-keys.ts';
import { createJournalStore } from './transfers/journal-store.ts';
import { createLedger } from './transfers/ledger.ts';
import { createPostOnce } from './transfers/post-once.ts';
import { serveTransfers } from './transfers/transfer-routes.ts';

/**
 * Starts the service; it listens at once and waits for its database, its broker and auth-stepup. `clock` is the time in
 * milliseconds since the epoch, for all that the service decides by time.
 */
export async function startTransfers(
  config: TransfersConfig,
  logger: Logger,
  clock: () => number = Date.now,
): Promise<Running> {
  const { currency } = config;
  const checkpointEveryMs = config.checkpointEveryS * 1000;
  const metrics = createMetrics('transfers');
  const mongo = connectMongo({
    uri: config.mongodbUri,
    database: config.mongodbDatabase,
    logger,
    prepare: async () => {
      await Promise.all([accounts.prepare(), journal.prepare(), signingKeys.prepare()]);
    },
  });
  const { connection, isUp } = mongo;
  const accounts = createAccountStore(connection, createIds(connection, { name: 'account', blockSize: 1 }));
  const journal = createJournalStore(connection);
  const sealer = createSealer(config.keySealingSecret);
  const signingKeys = createSigningKeys(createSigningKeyStore(connection, { sealer, logger }), clock);
  const publisher = createPublisher({ url: config.rabbitmqUrl, name: 'transfers', logger });
  const store = createOutboxStore(journal.collection);
  const outbox = createOutbox({ name: 'transfers', store, isReady: isUp, publisher, logger, metrics });
  const transactions = createTransactions({ connection, isUp, logger });
  const nextId = createIds(connection, { name: 'transfer', blockSize: 1000 });
  const { signer } = signingKeys;
  const ledger = createLedger(
    {
      journal,
      transactions,
      nextId,
      signer,
      clock,
      periodOf: (now) => periodOf(now, checkpointEveryMs),
      onPosted: outbox.publishNow,
    },
    metrics,
  );
  const checkpoints = createCheckpointStore(connection);
  const checkpointing = startCheckpoints({
    make: (now) => makeCheckpoint({ store: checkpoints, signer: signer(), everyMs: checkpointEveryMs }, now),
    everyMs: checkpointEveryMs,
    isUp,
    logger,
  });
  const authStepup = askAuthStepup(config.authStepupUrl);
  const byCall = createGroupRead({ isUp, read: journal.byCalls });
  const postOnce = createPostOnce({ journal, byCall, ledger, consume: createConsume(authStepup), clock });
  const tokens = createTokenVerifier({
    jwksUrl: config.jwksUrl,
    issuer: config.tokenIssuer,
    audience: config.tokenAudience,
    logger,
    now: clock,
  });
  const api = createApi({
    logger,
    metrics,
    tokens,
    translate: [mongoProblem],
    dependencies: [
      { name: 'mongodb', need: 'hard', isUp },
      { name: 'rabbitmq', need: 'soft', isUp: publisher.isUp },
    ],
  });
  serveAccounts(api, { accounts, journal, currency, clock });
  const directory = createAccountDirectory({ find: createGroupRead({ isUp, read: accounts.findAll }) });
  const cash = (of: typeof currency) => accounts.cash(of, new Date(clock()));
  serveTransfers(api, { directory, cash, journal, postOnce });
  signingKeys.serve(api);
  const { url, close } = await serve(api.app, config);
  return {
    url,
    close: () =>
      closeInOrder(
        [
          { what: 'http', close },
          { what: 'ledger', close: ledger.close },
          { what: 'checkpoints', close: checkpointing.close },
          { what: 'auth-stepup', close: authStepup.close },
          { what: 'outbox', close: outbox.close },
          { what: 'rabbitmq', close: () => publisher.close() },
          { what: 'token keys', close: tokens.close },
          { what: 'transactions', close: transactions.close },
          { what: 'mongodb', close: mongo.close },
        ],
        logger,
      ),
  };
}
