import type { Connection } from 'mongoose';
import { claimPurposes, type ClaimPurpose } from '@comanda/contracts/internal';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import { journalSchema } from '../transfers/journal-document.ts';
import { firstSweepMs, type Attempt } from './attempt.ts';

/** `_id`: the `jti` of the step-up token. `next_at`: when the sweep checks the attempt next. */
type AttemptDocument = {
  _id: string;
  payment_id: number;
  purpose: ClaimPurpose;
  token_expires_at: Date;
  next_at: Date;
};
export const attemptSchema = collectionSchema<AttemptDocument>('bill_payment_attempts', {
  _id: { type: String },
  payment_id: { type: Number, required: true, min: 1 },
  purpose: { type: String, required: true, enum: claimPurposes },
  token_expires_at: { type: Date, required: true },
  next_at: { type: Date, required: true },
}).index({ next_at: 1 });

/** The attempts to check now. `malformed`: the ids of stored attempts that this service can't have written like that. */
export type DueAttempts = { attempts: Attempt[]; malformed: string[] };
export type AttemptStore = ReturnType<typeof createAttemptStore>;

const durable = { writeConcern: { w: 'majority' } } as const;

/**
 * Creates the store for attempts to pay or refund a bill's payments. An attempt is removed when the orders service has its
 * result.
 */
export function createAttemptStore(connection: Connection) {
  const attempts = collectionOf(connection, attemptSchema);
  return {
    /**
     * Stores an attempt durably: when this returns, a majority of the replica set has it. If the attempt is already stored,
     * changes only the time of its next check.
     */
    noteAttempt: async ({ jti, paymentId, purpose, tokenExpiresAtMs }: Attempt, nextAt: Date): Promise<void> => {
      const facts = { payment_id: paymentId, purpose, token_expires_at: new Date(tokenExpiresAtMs) };
      await attempts.updateOne({ _id: jti }, { $set: { ...facts, next_at: nextAt } }, { upsert: true, ...durable });
    },
    /** Returns up to `limit` attempts that are due, oldest first. */
    findDue: async (now: Date, limit: number): Promise<DueAttempts> => {
      const found = await attempts
        .find({ next_at: { $lte: now } })
        .sort({ next_at: 1 })
        .limit(limit)
        .toArray();
      const read = found.map((document) => ({ document, attempt: toAttempt(document) }));
      return {
        attempts: read.flatMap(({ attempt }) => attempt ?? []),
        malformed: read.flatMap(({ document: { _id: id }, attempt }) => (attempt ? [] : [id])),
      };
    },
    postpone: async (jti: string, nextAt: Date): Promise<void> => {
      await attempts.updateOne({ _id: jti }, { $set: { next_at: nextAt } });
    },
    removeAttempt: async (jti: string): Promise<void> => {
      await attempts.deleteOne({ _id: jti });
    },
    /**
     * Stores each payment and refund posted since `since` as an attempt, so that the sweep reports it to the orders service
     * again. Returns the number of all stored attempts.
     */
    noteAllAgain: async ({ since, now }: { since: Date; now: Date }): Promise<number> => {
      const journal = collectionOf(connection, journalSchema);
      const isPayment = { $eq: ['$kind', 'bill_payment'] };
      const isOfBill = { kind: { $in: ['bill_payment', 'bill_refund'] }, payment_id: { $exists: true } };
      await journal
        .aggregate([
          { $match: { ...isOfBill, status: 'posted', created_at: { $gte: since } } },
          {
            $project: {
              _id: '$jti',
              payment_id: 1,
              purpose: { $cond: [isPayment, 'payment', 'refund'] },
              token_expires_at: '$created_at',
              // Reports refunds after payments: the orders service accepts a refund only for a payment that it knows as paid.
              next_at: { $cond: [isPayment, now, new Date(now.getTime() + firstSweepMs)] },
            },
          },
          { $merge: { into: attempts.collectionName, whenMatched: 'keepExisting' } },
        ])
        .toArray();
      return attempts.countDocuments();
    },
    countAttempts: (): Promise<number> => attempts.estimatedDocumentCount(),
  };
}

/** Parses a stored attempt. Returns null if it is malformed: an attacker can store documents that break the schema's rules. */
function toAttempt(document: AttemptDocument): Attempt | null {
  const { _id: jti, payment_id: paymentId, purpose, token_expires_at: expiresAt } = document;
  const tokenExpiresAtMs = expiresAt instanceof Date ? expiresAt.getTime() : Number.NaN;
  const isAsWritten =
    typeof jti === 'string' &&
    Number.isSafeInteger(paymentId) &&
    claimPurposes.includes(purpose) &&
    !Number.isNaN(tokenExpiresAtMs);
  return isAsWritten ? { jti, paymentId, purpose, tokenExpiresAtMs } : null;
}
