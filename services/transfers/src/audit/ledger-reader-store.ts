import type { Connection, mongo } from 'mongoose';
import { toAccount } from '../accounts/account-document.ts';
import type { AccountDocument } from '../accounts/account-document.ts';
import type { Account } from '../accounts/account.ts';
import { toCheckpoint } from '../checkpoints/checkpoint-document.ts';
import type { CheckpointDocument } from '../checkpoints/checkpoint-document.ts';
import type { Checkpoint, SignedHead } from '../checkpoints/checkpoint.ts';
import { toEntry, toTransfer } from '../transfers/journal-document.ts';
import type { EntryDocument, PostedDocument } from '../transfers/journal-document.ts';
import type { PostedTransfer } from '../transfers/transfer.ts';
import type { ChainEntry } from './check-chain.ts';

type UnwoundDocument = { _id: number; entries: EntryDocument };

export type LedgerReader = ReturnType<typeof createLedgerReaderStore>;

/** 64-bit integers are read as bigint; the driver would otherwise return floats. */
const exact = { useBigInt64: true } as const;
const exactOnDisk = { ...exact, allowDiskUse: true } as const;

const toChainEntry = ({ _id: transferId, entries }: UnwoundDocument): ChainEntry => ({
  transferId,
  ...toEntry(entries),
});
const unwoundEntries = (filter: object, sort: Record<string, 1>) => [
  { $match: { status: 'posted', ...filter } },
  { $project: { entries: 1 } },
  { $unwind: '$entries' },
  { $sort: sort },
];

/** Reads a whole ledger of any size in little memory: MongoDB sorts, on its disk if it must. Writes nothing. */
export function createLedgerReaderStore(connection: Connection) {
  const rows = connection.collection('transfers') as unknown as mongo.Collection<PostedDocument>;
  const accounts = connection.collection('accounts') as unknown as mongo.Collection<AccountDocument>;
  const checkpoints = connection.collection<CheckpointDocument>('checkpoints');
  return {
    /** Estimates. */
    getSize: async () => ({
      transfers: await rows.estimatedDocumentCount(),
      accounts: await accounts.estimatedDocumentCount(),
    }),
    findTransfers: async function* (): AsyncGenerator<PostedTransfer> {
      const found = rows.find({ status: 'posted' }, { ...exact, projection: { outbox: 0 } }).sort({ _id: 1 });
      for await (const document of found) yield toTransfer(document);
    },
    /** By account, then in the order of their chains. */
    findEntries: async function* (): AsyncGenerator<ChainEntry> {
      const stages = unwoundEntries({}, { 'entries.account': 1, 'entries.seq': 1 });
      for await (const document of rows.aggregate<UnwoundDocument>(stages, exactOnDisk)) yield toChainEntry(document);
    },
    /** The entries of one account above `seq`, in the order of the chain. */
    findEntriesAbove: async function* (accountId: number, seq: number): AsyncGenerator<ChainEntry> {
      const filter = { entries: { $elemMatch: { account: accountId, seq: { $gt: seq } } } };
      const found = rows.aggregate<UnwoundDocument>(unwoundEntries(filter, { 'entries.seq': 1 }), exactOnDisk);
      for await (const document of found) if (document.entries.account === accountId) yield toChainEntry(document);
    },
    findAccounts: async function* (): AsyncGenerator<Account> {
      for await (const document of accounts.find({}, exact).sort({ _id: 1 })) yield toAccount(document);
    },
    findCheckpoints: async function* (): AsyncGenerator<Checkpoint> {
      for await (const document of checkpoints.find().sort({ _id: 1 })) yield toCheckpoint(document);
    },
    /** What checkpoints signed: by account, then in the order of the chains. */
    findSignedHeads: async function* (): AsyncGenerator<SignedHead> {
      const stages = [
        { $unwind: '$heads' },
        { $replaceRoot: { newRoot: '$heads' } },
        { $sort: { account: 1, seq: 1 } },
      ];
      yield* checkpoints.aggregate<SignedHead>(stages, { allowDiskUse: true });
    },
    /** The sum of all balances in each currency, all read at the same moment. */
    getSums: async (): Promise<{ currency: string; sum: bigint }[]> => {
      const stages = [{ $group: { _id: '$currency', sum: { $sum: '$balance' } } }, { $sort: { _id: 1 } }];
      const options = { ...exact, readConcern: { level: 'snapshot' } } as const;
      const found = await accounts.aggregate<{ _id: string; sum: bigint }>(stages, options).toArray();
      return found.map(({ _id: currency, sum }) => ({ currency, sum }));
    },
  };
}
