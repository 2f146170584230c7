import type { Connection, mongo } from 'mongoose';
import type { Message } from '@comanda/shared/messaging/publisher';
import { prepareOutbox } from '@comanda/shared/messaging/outbox-store';
import { isDuplicate } from '@comanda/shared/mongo/transactions';
import type { Session } from '@comanda/shared/mongo/transactions';
import { exact, toAccount } from '../accounts/account-store.ts';
import type { AccountDocument } from '../accounts/account-store.ts';
import type { Account } from '../accounts/account.ts';
import { toDocument, toRow, toTransfer } from './journal-document-store.ts';
import type { ExpiredDocument, JournalDocument, PostedDocument, RefusedDocument } from './journal-document-store.ts';
import type { FinalRow, JournalRow } from './journal-row.ts';
import type { IdempotentRequest, PostedTransfer } from './transfer.ts';

/** A row to be written, with the events that tell of it. */
export type NewRow = { row: FinalRow; messages: Message[] };
/** A call with an idempotency key, which is its user's own. */
export type UsersCall = { userId: number; call: IdempotentRequest };
export type JournalStore = ReturnType<typeof createJournalStore>;

const posted = { status: 'posted' } as const;
const withoutOutbox = { ...exact, projection: { outbox: 0, outboxClaim: 0 } };
const whoCalls = ({ userId, call }: UsersCall) => ({ user_id: userId, key: call.key });

/** The journal: final decisions, one row each, the entries inside. Unique: the token, the user's key, the place in a chain. */
export function createJournalStore(connection: Connection) {
  const rows = connection.collection('transfers') as unknown as mongo.Collection<JournalDocument>;
  const accounts = connection.collection('accounts') as unknown as mongo.Collection<AccountDocument>;

  return {
    collection: rows as unknown as mongo.Collection,
    prepare: async (): Promise<void> => {
      await rows.createIndexes([
        { key: { jti: 1 }, unique: true },
        { key: { user_id: 1, key: 1 }, unique: true, partialFilterExpression: { key: { $exists: true } } },
        // Refused rows have no entries: without the condition two of them would collide.
        { key: { 'legs.account': 1, 'legs.seq': 1 }, unique: true, partialFilterExpression: posted },
      ]);
      await prepareOutbox(rows);
    },
    /** The accounts of a batch, as its transaction sees them. */
    accounts: async (ids: readonly number[], session: Session): Promise<Map<number, Account>> => {
      const options = { ...exact, session, batchSize: ids.length + 1 };
      const found = await accounts.find({ _id: { $in: [...ids] } }, options).toArray();
      return new Map(found.map(toAccount).map((account) => [account.id, account]));
    },
    /** Where the accounts stand after the batch. False when one has moved meanwhile: the transaction must be given up. */
    move: async (
      moves: readonly Move[],
      { session, period }: { session: Session; period: number },
    ): Promise<boolean> => {
      if (moves.length === 0) return true;
      // Ascending, so that two batches meet at the same account first.
      const operations = moves
        .toSorted((a, b) => a.after.id - b.after.id)
        .map(({ before, after: { id, balanceMinor, seq, hash } }) => ({
          updateOne: {
            filter: { _id: id, seq: before.seq },
            update: { $set: { balance: balanceMinor, seq, hash, moved: period } },
          },
        }));
      const { matchedCount } = await accounts.bulkWrite(operations, { session });
      return matchedCount === moves.length;
    },
    append: async (written: readonly NewRow[], session: Session): Promise<void> => {
      await rows.insertMany(
        written.map(({ row, messages }) => toDocument(row, messages)),
        { session },
      );
    },
    /** What the journal has of these tokens and keys. */
    known: async (
      wishes: readonly { userId: number; jti: string; call: IdempotentRequest | null }[],
    ): Promise<JournalRow[]> => {
      const keyed = wishes.flatMap(({ userId, call }) => (call ? [whoCalls({ userId, call })] : []));
      const filter = { $or: [{ jti: { $in: wishes.map(({ jti }) => jti) } }, ...keyed] };
      const found = await rows.find(filter, withoutOutbox).toArray();
      return found.map((document) => toRow(document as JournalDocument));
    },
    /** What was decided about each of `calls`, by its user's key. */
    byCalls: async (calls: readonly UsersCall[]): Promise<(JournalRow | null)[]> => {
      const options = { ...withoutOutbox, batchSize: calls.length + 1 };
      const found = rows.find({ $or: calls.map(whoCalls) }, options);
      const byKey = new Map<string, JournalRow>();
      for (const document of (await found.toArray()) as (PostedDocument | RefusedDocument)[])
        byKey.set(`${document.user_id} ${document.key}`, toRow(document));
      return calls.map(({ userId, call }) => byKey.get(`${userId} ${call.key}`) ?? null);
    },
    /** Takes the token out of use for good, unless something was decided with it: that is what is returned then. */
    expire: async (jti: string, now: Date): Promise<JournalRow> => {
      const expired: ExpiredDocument = { _id: `expired ${jti}`, status: 'expired', jti, created_at: now };
      try {
        await rows.insertOne(expired);
        return toRow(expired);
      } catch (error) {
        const decided = isDuplicate(error) && (await rows.findOne({ jti }, withoutOutbox));
        if (!decided) throw error;
        return toRow(decided as JournalDocument);
      }
    },
    find: async (id: number): Promise<PostedTransfer | null> => {
      const found = await rows.findOne({ _id: id, ...posted }, withoutOutbox);
      return found && toTransfer(found as PostedDocument);
    },
    /**
     * Up to `limit` transfers with an entry of `accountId` below `belowSeq`, newest first. The chain has no holes, so
     * that exactly `limit` keys are read, however long it is.
     */
    statement: async (page: { accountId: number; belowSeq: number; limit: number }): Promise<PostedTransfer[]> => {
      const { accountId: account, belowSeq, limit } = page;
      const seq = { $gte: belowSeq - limit, $lt: belowSeq };
      const found = await rows.find({ ...posted, legs: { $elemMatch: { account, seq } } }, withoutOutbox).toArray();
      const seqOf = ({ legs }: PostedTransfer): number => legs.find((leg) => leg.accountId === account)?.seq ?? 0;
      return found.map((document) => toTransfer(document as PostedDocument)).toSorted((a, b) => seqOf(b) - seqOf(a));
    },
  };
}

export type Move = { before: Account; after: Account };
