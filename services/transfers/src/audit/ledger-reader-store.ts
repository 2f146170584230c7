import type { Connection, mongo } from 'mongoose';
import type { Checkpoint, SignedHead } from '../checkpoints/checkpoint.ts';
import { exact, toAccount } from '../accounts/account-store.ts';
import type { AccountDocument } from '../accounts/account-store.ts';
import type { Account } from '../accounts/account.ts';
import { toTransfer } from '../transfers/journal-document-store.ts';
import type { PostedDocument } from '../transfers/journal-document-store.ts';
import type { PostedTransfer } from '../transfers/transfer.ts';
import type { Entry } from './check-chain.ts';

type CheckpointDocument = { _id: number; at: Date; period: number; heads: SignedHead[]; jws: string };
type UnwoundDocument = { _id: number; legs: PostedDocument['legs'][number] };

export type LedgerReader = ReturnType<typeof createLedgerReader>;

const toEntry = ({ _id: transferId, legs: leg }: UnwoundDocument): Entry => ({
  transferId,
  accountId: leg.account,
  seq: leg.seq,
  amountMinor: leg.amount,
  balanceMinor: leg.balance,
  prev: leg.prev,
  hash: leg.hash,
});

/** Reads all of a ledger, of any size, in little memory; the server sorts, on its disk if it must. */
export function createLedgerReader(connection: Connection) {
  const rows = connection.collection('transfers') as unknown as mongo.Collection<PostedDocument>;
  const accounts = connection.collection('accounts') as unknown as mongo.Collection<AccountDocument>;
  const checkpoints = connection.collection<CheckpointDocument>('checkpoints');
  const sorting = { ...exact, allowDiskUse: true };
  const unwound = (filter: object, sort: object) => [
    { $match: { status: 'posted', ...filter } },
    { $project: { legs: 1 } },
    { $unwind: '$legs' },
    { $sort: sort },
  ];
  return {
    size: async () => ({
      transfers: await rows.estimatedDocumentCount(),
      accounts: await accounts.estimatedDocumentCount(),
    }),
    transfers: async function* (): AsyncGenerator<PostedTransfer> {
      const found = rows.find({ status: 'posted' }, { ...exact, projection: { outbox: 0 } }).sort({ _id: 1 });
      for await (const document of found) yield toTransfer(document);
    },
    /** By account, and in the order of their chains. */
    entries: async function* (): AsyncGenerator<Entry> {
      const found = rows.aggregate<UnwoundDocument>(unwound({}, { 'legs.account': 1, 'legs.seq': 1 }), sorting);
      for await (const document of found) yield toEntry(document);
    },
    /** Those of one account above `seq`, in their order. */
    entriesAbove: async function* (accountId: number, seq: number): AsyncGenerator<Entry> {
      const filter = { legs: { $elemMatch: { account: accountId, seq: { $gt: seq } } } };
      const found = rows.aggregate<UnwoundDocument>(unwound(filter, { 'legs.seq': 1 }), sorting);
      for await (const document of found) if (document.legs.account === accountId) yield toEntry(document);
    },
    accounts: async function* (): AsyncGenerator<Account> {
      for await (const document of accounts.find({}, exact).sort({ _id: 1 })) yield toAccount(document);
    },
    account: async (id: number): Promise<Account | null> => {
      const found = await accounts.findOne({ _id: id }, exact);
      return found && toAccount(found);
    },
    checkpoints: async function* (): AsyncGenerator<Checkpoint> {
      for await (const { _id: number, ...rest } of checkpoints.find().sort({ _id: 1 })) yield { number, ...rest };
    },
    /** What checkpoints have signed, by account, and in the order of the chains. */
    signedHeads: async function* (): AsyncGenerator<SignedHead> {
      const stages = [
        { $unwind: '$heads' },
        { $replaceRoot: { newRoot: '$heads' } },
        { $sort: { account: 1, seq: 1 } },
      ];
      yield* checkpoints.aggregate<SignedHead>(stages, { allowDiskUse: true });
    },
    /** What all balances in a currency add up to, as of one moment. */
    sums: async (): Promise<{ currency: string; sum: bigint }[]> => {
      const stages = [{ $group: { _id: '$currency', sum: { $sum: '$balance' } } }, { $sort: { _id: 1 } }];
      const options = { ...exact, readConcern: { level: 'snapshot' } } as const;
      const found = await accounts.aggregate<{ _id: string; sum: bigint }>(stages, options).toArray();
      return found.map(({ _id: currency, sum }) => ({ currency, sum }));
    },
  };
}
