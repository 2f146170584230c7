import { prepareCollections } from '@comanda/shared/mongo/collections';
import { connectMongo } from '@comanda/shared/mongo/connection';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import { createLogger } from '@comanda/shared/runtime/logger';
import { createMetrics } from '@comanda/shared/runtime/metrics';
import { createSealer } from '@comanda/shared/crypto/seal';
import { createAccountStore } from '../../services/transfers/src/accounts/account-store.ts';
import { createAccountVerifier } from '../../services/transfers/src/accounts/verify-account.ts';
import { transfersCollections } from '../../services/transfers/src/collections.ts';
import { createIdStore } from '../../services/transfers/src/ids/id-store.ts';
import { createSigningKeyStore } from '../../services/transfers/src/receipts/signing-key-store.ts';
import type { Signer } from '@comanda/shared/crypto/statement';
import { createJournalStore } from '../../services/transfers/src/transfers/journal-store.ts';
import { createLedger, type Ledger } from '../../services/transfers/src/transfers/ledger.ts';
import { createLedgerMetrics } from '../../services/transfers/src/transfers/ledger-metrics.ts';
import type { ConsentedTransfer } from '../../services/transfers/src/transfers/transfer.ts';
import { until } from '@comanda/testing/until';

type WritePathOptions = { uri: string; database: string; secret: string };

/** Opens a transfers instance's write path, without HTTP, step-up or broker. */
export async function openWritePath({ uri, database, secret }: WritePathOptions) {
  const logger = createLogger({ service: 'bench', level: 'error' });
  const mongo = connectMongo({
    uri,
    database,
    logger,
    onConnect: (opened) => prepareCollections(opened, transfersCollections),
  });
  const { connection, isUp } = mongo;
  const transactions = createTransactions({ connection, isUp, logger });
  await until(isUp, { what: 'MongoDB', timeoutMs: 20_000 });
  const keys = createSigningKeyStore(connection, { sealer: createSealer(secret), logger });
  const { signer: loaded, trusted } = await keys.getSigningKeys(new Date());
  const signer = (): Signer => loaded;
  const nextAccountId = createIdStore(connection, { name: 'account', blockSize: 1000 });
  const verify = createAccountVerifier({ trusted: () => trusted, logger });
  const accounts = createAccountStore(connection, { nextId: nextAccountId, signer, verify });
  const journal = createJournalStore(connection, { signer, verify: (row) => row });
  const ledger: Ledger = createLedger({
    accounts,
    journal,
    transactions,
    nextId: createIdStore(connection, { name: 'transfer', blockSize: 1000 }),
    signer,
    clock: Date.now,
    isUp,
    countRows: () => undefined,
    publishNow: () => undefined,
    metrics: createLedgerMetrics(createMetrics('bench')),
  });
  return {
    accounts,
    /** Posts a transfer as if its step-up token had just been spent. */
    post: async (transfer: ConsentedTransfer) => {
      using slot = await ledger.reserve(transfer.userId);
      return await slot.post(transfer);
    },
    close: async (): Promise<void> => {
      await ledger.close();
      await transactions.close();
      await mongo.close();
    },
  };
}
