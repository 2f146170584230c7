import type { Connection, mongo } from 'mongoose';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import { toClusterTime, toTimestamp, type ClusterTime } from '@comanda/shared/mongo/cluster-time';
import { collectionOf } from '@comanda/shared/mongo/collections';
import { isDuplicate, type Session } from '@comanda/shared/mongo/transactions';
import { statementHash, type Signer } from '@comanda/shared/crypto/statement';
import {
  journalSchema,
  toExpiredDocument,
  toJournalDocument,
  toRow,
  toTransfer,
  type ExpiredDocument,
  type JournalDocument,
  type PostedDocument,
  type RefusedDocument,
} from './journal-document.ts';
import { readInserted } from '../read-inserted.ts';
import type { NewRow } from './apply-batch.ts';
import type { CommandIdentity, Row } from './journal-row.ts';
import { signExpiry } from './refusal.ts';
import type { VerifyRow } from './verify-row.ts';
import { toStoredEvent } from './transfer-event.ts';
import type { PostedTransfer } from './transfer.ts';

/** A user's request with an idempotency key. Different users may use the same key. */
export type UserRequest = { userId: number; idempotency: IdempotentRequest };
/** A rejected or expired row, for a checkpoint. */
type WrittenDecision = { id: number | string; hash: string; written: ClusterTime };
export type JournalStore = ReturnType<typeof createJournalStore>;

const posted = { status: 'posted' } as const;
const billKinds = ['bill_payment', 'bill_refund'] as const;
const withoutOutbox = { useBigInt64: true, projection: { outbox: 0, outbox_claim: 0 } } as const;
/**
 * Matches rows with one of these keys and one of these users. A row may have one request's key and another request's user, so
 * callers compare both. This is a single index scan: MongoDB would plan an `$or` of pairs separately for each pair.
 */
const byKeys = (requests: readonly UserRequest[]) => ({
  idempotency_key: { $in: requests.map(({ idempotency }) => idempotency.key) },
  user_id: { $in: requests.map(({ userId }) => userId) },
});

const byPayments = (identities: readonly CommandIdentity[]) => {
  const ids = identities.flatMap(({ paymentId }) => paymentId ?? []);
  return ids.length === 0 ? [] : [{ kind: { $in: billKinds }, payment_id: { $in: ids } }];
};

type Options = { signer: () => Signer; verify: VerifyRow };

/**
 * Creates the store for the journal. It has one row for each final decision, with the transfer's entries and events. Rows are
 * never changed. Unique indexes allow one row for each token, for each user and idempotency key, and for each account and entry
 * number.
 */
export function createJournalStore(connection: Connection, { signer, verify }: Options) {
  const rows = collectionOf(connection, journalSchema) as unknown as mongo.Collection<JournalDocument>;

  return {
    /** The raw collection, which the outbox needs. */
    collection: rows as unknown as mongo.Collection,
    insertRows: async (newRows: readonly NewRow[], session: Session): Promise<void> => {
      await rows.insertMany(
        newRows.map(({ row, messages }) => toJournalDocument(row, messages.map(toStoredEvent))),
        { session },
      );
    },
    /** Returns all rows with one of these tokens, idempotency keys or bill payments. */
    findRows: async (identities: readonly CommandIdentity[]): Promise<Row[]> => {
      const requests = identities.flatMap(({ userId, idempotency }) => (idempotency ? [{ userId, idempotency }] : []));
      const filter = {
        $or: [{ jti: { $in: identities.map(({ jti }) => jti) } }, byKeys(requests), ...byPayments(identities)],
      };
      const found = await rows.find(filter, withoutOutbox).toArray();
      return found.map((document) => verify(toRow(document as JournalDocument)));
    },
    /**
     * Returns the row for each request, by user and idempotency key, in the order of `requests`; null if there is none. Callers
     * must verify each row themselves: one query serves many callers, and one bad row must not fail the others.
     */
    findUnverifiedByKeys: async (requests: readonly UserRequest[]): Promise<(Row | null)[]> => {
      const options = { ...withoutOutbox, batchSize: requests.length + 1 };
      const found = await rows.find(byKeys(requests), options).toArray();
      const rowsByKey = new Map<string, Row>();
      for (const document of found as (PostedDocument | RefusedDocument)[])
        rowsByKey.set(`${document.user_id} ${document.idempotency_key}`, toRow(document));
      return requests.map(({ userId, idempotency }) => rowsByKey.get(`${userId} ${idempotency.key}`) ?? null);
    },
    /**
     * Declares a token expired, permanently. Returns the row that says so, or the decision that was already made with the token.
     */
    insertExpired: async (jti: string, now: Date): Promise<Row> => {
      const expired = toExpiredDocument(jti, now, signExpiry(jti, now, signer()));
      try {
        await rows.insertOne(expired);
        return toRow(expired);
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        return readInserted(async () => {
          const earlier = await rows.findOne({ jti }, withoutOutbox);
          return earlier && verify(toRow(earlier as JournalDocument));
        });
      }
    },
    /** Yields the rejected and expired rows that were written at or after `since`. */
    findDecisionsWrittenSince: async function* (since: ClusterTime): AsyncGenerator<WrittenDecision> {
      const options = { readConcern: { level: 'majority' }, projection: { statement: 1, written: 1 } } as const;
      const found = rows.find({ written: { $gte: toTimestamp(since) } }, options);
      for await (const document of found) {
        const { _id: id, statement, written } = document as RefusedDocument | ExpiredDocument;
        if (typeof statement !== 'string') continue; // the result of tampering, which verify-ledger reports
        yield { id, hash: statementHash(statement), written: toClusterTime(written) };
      }
    },
    /** Returns the transfer that paid a bill's payment, followed by the transfer that refunded it. */
    findBillTransfers: async (paymentId: number): Promise<PostedTransfer[]> => {
      const filter = { kind: { $in: billKinds }, payment_id: paymentId, ...posted } as const;
      const found = await rows.find(filter, withoutOutbox).sort({ kind: 1 }).toArray();
      return found.map((document) => verify(toTransfer(document as PostedDocument)));
    },
    /** Returns the row for a token: its decision or its expiry. Returns null if there is none. */
    findRowByToken: async (jti: string): Promise<Row | null> => {
      const found = await rows.findOne({ jti }, withoutOutbox);
      return found && verify(toRow(found as JournalDocument));
    },
    findTransfer: async (id: number): Promise<PostedTransfer | null> => {
      const found = await rows.findOne({ _id: id, ...posted }, withoutOutbox);
      return found && verify(toTransfer(found as PostedDocument));
    },
    /** Returns the stored documents with these ids. Callers must verify them. */
    findUnverified: async (ids: readonly unknown[]): Promise<JournalDocument[]> =>
      (await rows.find({ _id: { $in: ids as number[] } }, withoutOutbox).toArray()) as JournalDocument[],
    /** Empties these rows' outboxes. If a failover loses this write, their events are published again. */
    emptyOutboxes: async (ids: readonly unknown[]): Promise<void> => {
      const change = { $set: { outbox: [] }, $unset: { outbox_claim: '' } } as const;
      await rows.updateMany({ _id: { $in: ids as number[] } }, change, { writeConcern: { w: 1 } });
    },
    /**
     * Returns up to `limit` transfers with an entry of this account below `belowSeq`, newest first. Entry numbers have no gaps,
     * so MongoDB reads exactly `limit` index keys, no matter how many entries the account has.
     */
    listTransfers: async (page: { accountId: number; belowSeq: number; limit: number }): Promise<PostedTransfer[]> => {
      const { accountId: account, belowSeq, limit } = page;
      const seq = { $gte: belowSeq - limit, $lt: belowSeq };
      const found = await rows.find({ ...posted, entries: { $elemMatch: { account, seq } } }, withoutOutbox).toArray();
      const seqOf = ({ entries }: PostedTransfer): number =>
        entries.find(({ accountId }) => accountId === account)?.seq ?? 0;
      return found.map((document) => toTransfer(document as PostedDocument)).toSorted((a, b) => seqOf(b) - seqOf(a));
    },
  };
}
