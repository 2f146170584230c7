import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import type { mongo } from 'mongoose';
import type { Currency } from '@comanda/contracts/transfers';
import { connectMongo } from '@comanda/shared/mongo/connection';
import { createTransactions } from '@comanda/shared/mongo/transactions';
import { createLogger } from '@comanda/shared/runtime/logger';
import { createAccountStore } from '../../src/accounts/account-store.ts';
import type { Account } from '../../src/accounts/account.ts';
import { createIds } from '../../src/ids/id-store.ts';
import { createJournalStore } from '../../src/transfers/journal-store.ts';
import { createPostBatch } from '../../src/transfers/post-batch.ts';
import type { PostBatchOptions } from '../../src/transfers/post-batch.ts';
import type { Wish } from '../../src/transfers/transfer.ts';
import { until } from '@comanda/testing/until';

const logger = createLogger({ service: 'transfers', level: 'silent' });
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const signer = { kid: 'test', privateKey };

/** What a thief of the database sees. */
type Row = {
  _id: number;
  status?: string;
  amount?: bigint;
  balance?: bigint;
  seq?: number;
  hash?: string;
  description?: string;
  owner_id?: number;
  receipt?: string;
  legs?: { account: number; seq: number; amount: bigint; balance: bigint; prev: string; hash: string }[];
};
export type Books = Awaited<ReturnType<typeof openBooks>>;

/** The stores and the write path of one instance, against a real database, without its HTTP side. */
export async function openBooks(where: { uri: string; database: string }, options: Partial<PostBatchOptions> = {}) {
  const mongo = connectMongo({
    ...where,
    logger,
    prepare: async () => {
      await Promise.all([accounts.prepare(), journal.prepare()]);
    },
  });
  const { connection, isUp } = mongo;
  const accounts = createAccountStore(connection, createIds(connection, { name: 'account', blockSize: 1 }));
  const journal = createJournalStore(connection);
  const transactions = createTransactions({ connection, isUp, logger });
  let conflicts = 0;
  const post = createPostBatch({
    journal,
    transactions,
    nextId: createIds(connection, { name: 'transfer', blockSize: 1000 }),
    signer: () => signer,
    clock: Date.now,
    periodOf: () => 0,
    onPosted: () => undefined,
    onConflict: () => void conflicts++,
    ...options,
  });
  await until(isUp, { what: 'MongoDB', timeoutMs: 20_000 });
  return {
    accounts,
    journal,
    post,
    conflicts: () => conflicts,
    rows: connection.collection('transfers') as unknown as mongo.Collection<Row>,
    heads: connection.collection('accounts') as unknown as mongo.Collection<Row>,
    connection,
    /** An account that holds `balance` minor units, from the house's cash. */
    funded: async (balance: bigint, currency: Currency = 'BRL'): Promise<Account> => {
      const account = await accounts.open({ name: null, ownerId: randomId(), currency, createdAt: new Date() });
      const cash = await accounts.cash(currency, new Date());
      if (balance > 0n) {
        const [outcome] = await post([
          wish({ kind: 'account_deposit', fromId: cash.id, toId: account.id, amountMinor: balance, currency }),
        ]);
        if (!outcome || 'error' in outcome) throw outcome?.error ?? new Error('no outcome');
      }
      return account;
    },
    balance: async (id: number): Promise<bigint | undefined> => (await accounts.find(id))?.balanceMinor,
    close: async () => {
      await transactions.close();
      await mongo.close();
    },
  };
}

export const randomId = (): number => randomBytes(4).readUInt32BE() + 1;

/** A wish with a consent of its own. */
export const wish = (facts: Partial<Wish> & Pick<Wish, 'fromId' | 'toId' | 'amountMinor'>): Wish => ({
  kind: 'internal_transfer',
  userId: randomId(),
  consent: { jti: randomUUID(), pinVersion: 1, expiresAtMs: Date.now() + 120_000 },
  call: null,
  currency: 'BRL',
  description: null,
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  ...facts,
});
