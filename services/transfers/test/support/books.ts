import { createPublicKey, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import type { mongo } from 'mongoose';
import type { Currency } from '@comanda/contracts/money';
import { createSealer } from '@comanda/shared/crypto/seal';
import { createSigningKeys, type SigningKeys } from '@comanda/shared/crypto/signing-keys';
import { prepareCollections } from '@comanda/shared/mongo/collections';
import { connectMongo } from '@comanda/shared/mongo/connection';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import { createLogger } from '@comanda/shared/runtime/logger';
import { createAccountStore } from '../../src/accounts/account-store.ts';
import type { Account } from '../../src/accounts/account.ts';
import { createAccountVerifier } from '../../src/accounts/verify-account.ts';
import { transfersCollections } from '../../src/collections.ts';
import { createIdStore } from '../../src/ids/id-store.ts';
import { createSigningKeyStore } from '../../src/receipts/signing-key-store.ts';
import { createJournalStore } from '../../src/transfers/journal-store.ts';
import { postBatch, type PostBatchDeps } from '../../src/transfers/post-batch.ts';
import { createRowVerifier } from '../../src/transfers/verify-row.ts';
import type { ConsentedTransfer, TransferCommand } from '../../src/transfers/transfer.ts';
import { until } from '@comanda/testing/until';
import { claimsOf, signTestConsent } from './test-consents.ts';

const logger = createLogger({ service: 'transfers', level: 'silent' });
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const defaultKeys: SigningKeys = {
  signer: { kid: 'test', privateKey },
  publicKeys: [],
  trusted: new Map([['test', createPublicKey(privateKey)]]),
};

type Row = {
  _id: number;
  status?: string;
  amount?: bigint;
  balance?: bigint;
  seq?: number;
  hash?: string;
  description?: string;
  owner_id?: number;
  owner_name?: string;
  purpose?: string;
  receipt?: string;
  entries?: { account: number; seq: number; amount: bigint; balance: bigint; prev: string; hash: string }[];
};
export type Books = Awaited<ReturnType<typeof openBooks>>;

/** `secret`: the sealing secret for the keys in the database. Without it, all books in this process share one key. */
type Where = { uri: string; database: string; secret?: string };

/** Creates an instance's stores and its functions for posting, on a real database but without HTTP. */
export async function openBooks({ secret, ...where }: Where, options: Partial<PostBatchDeps> = {}) {
  const signingKeys = createSigningKeys();
  const mongo = connectMongo({
    ...where,
    logger,
    onConnect: async (opened) => {
      await prepareCollections(opened, transfersCollections);
      const keyStore =
        secret === undefined ? null : createSigningKeyStore(opened, { sealer: createSealer(secret), logger });
      signingKeys.set(keyStore ? await keyStore.getSigningKeys(new Date()) : defaultKeys);
    },
  });
  const { connection, isUp } = mongo;
  const { signer } = signingKeys;
  const verify = createAccountVerifier({ trusted: signingKeys.trusted, logger });
  const nextAccountId = createIdStore(connection, { name: 'account', blockSize: 1 });
  const accounts = createAccountStore(connection, { nextId: nextAccountId, signer, verify });
  const journal = createJournalStore(connection, {
    signer,
    verify: createRowVerifier({ trusted: signingKeys.trusted, logger }),
  });
  const transactions = createTransactions({ connection, isUp, logger });
  let conflicts = 0;
  const deps: PostBatchDeps = {
    accounts,
    journal,
    transactions,
    signer,
    clock: Date.now,
    publishNow: () => undefined,
    metrics: { countConflict: () => void conflicts++, startBatch: () => () => undefined, watchQueue: () => undefined },
    countRows: () => undefined,
    ...options,
  };
  const nextId = createIdStore(connection, { name: 'transfer', blockSize: 1000 });
  const numbered = (transfers: readonly ConsentedTransfer[]): Promise<TransferCommand[]> =>
    Promise.all(transfers.map(async (transfer) => ({ ...transfer, transferId: await nextId() })));
  const post = async (transfers: readonly ConsentedTransfer[]) => postBatch(deps, await numbered(transfers));
  await until(isUp, { what: 'MongoDB', timeoutMs: 20_000 });
  return {
    deps,
    signingKeys,
    accounts,
    journal,
    /** Assigns an id to each transfer. */
    numbered,
    post,
    conflicts: () => conflicts,
    rows: connection.collection('transfers') as unknown as mongo.Collection<Row>,
    heads: connection.collection('accounts') as unknown as mongo.Collection<Row>,
    connection,
    /** Opens an account and deposits `balance` minor units from the cash account. */
    funded: async (balance: bigint, currency: Currency = 'BRL'): Promise<Account> => {
      const account = await accounts.insertAccount({
        name: null,
        ownerId: randomId(),
        ownerName: 'Ana',
        currency,
        createdAt: new Date(),
      });
      const cash = await accounts.getCashAccount(currency, new Date());
      if (balance > 0n) {
        const [outcome] = await post([newCommand({ from: cash, to: account, amountMinor: balance, currency })]);
        if (!outcome || 'error' in outcome) throw outcome?.error ?? new Error('no outcome');
      }
      return account;
    },
    balance: async (id: number): Promise<bigint | undefined> => (await accounts.findAccount(id))?.balanceMinor,
    /** Stops the heartbeat, after which nothing can be posted. */
    stopHeartbeat: transactions.close,
    close: async () => {
      await transactions.close();
      await mongo.close();
    },
  };
}

export const randomId = (): number => randomBytes(4).readUInt32BE() + 1;

type Facts = Partial<ConsentedTransfer> & {
  from: Pick<Account, 'id' | 'ownerId'>;
  to: Pick<Account, 'id'>;
  amountMinor: bigint;
};

/** Creates a command with a step-up token of its own: a transfer, or a deposit if the payer is a cash account. */
export function newCommand({ from, to, ...facts }: Facts): ConsentedTransfer {
  const terms = {
    kind: from.ownerId === null ? ('account_deposit' as const) : ('internal_transfer' as const),
    fromId: from.id,
    toId: to.id,
    userId: from.ownerId ?? randomId(),
    idempotency: null,
    currency: 'BRL' as const,
    description: null,
    paymentId: null,
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    ...facts,
  };
  const jti = randomUUID();
  const jws = signTestConsent(claimsOf({ ...terms, jti }));
  return { consent: { jti, pinVersion: 1, expiresAtMs: Date.now() + 120_000, jws }, ...terms };
}
