import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Connection } from 'mongoose';

/**
 * A manager's or operator's permission for `userId` to reset the PIN. `by` is null if an operator approved the reset, without a
 * step-up token.
 */
export type PinResetApproval = {
  userId: number;
  by: { managerId: number; jti: string; request: IdempotentRequest | null } | null;
  expiresAt: number;
};
type ApprovalDocument = {
  user_id: number;
  expires_at: Date;
  created_at: Date;
  manager_id?: number;
  jti?: string;
  key?: string;
  request_fingerprint?: string;
};
export type PinResetApprovalStore = ReturnType<typeof createPinResetApprovalStore>;

/** How long a repeated idempotency key returns the same response, in seconds. */
const retentionS = 7 * 24 * 3600;

const ifPresent = (field: string) => ({ unique: true, partialFilterExpression: { [field]: { $exists: true } } });

export const pinResetApprovalSchema = collectionSchema<ApprovalDocument>('pin_reset_approvals', {
  user_id: { type: Number, required: true },
  expires_at: { type: Date, required: true },
  created_at: { type: Date, required: true },
  manager_id: { type: Number, allowNull: false },
  jti: { type: String, allowNull: false },
  key: { type: String, allowNull: false },
  request_fingerprint: { type: String, allowNull: false },
})
  .index({ jti: 1 }, ifPresent('jti'))
  .index({ manager_id: 1, key: 1 }, ifPresent('key'))
  // MongoDB deletes approvals after seven days.
  .index({ created_at: 1 }, { expireAfterSeconds: retentionS });

/** Creates the store for approvals in `pin_reset_approvals`. Approvals are unique by step-up token and by idempotency key. */
export function createPinResetApprovalStore(connection: Connection) {
  const approvals = collectionOf(connection, pinResetApprovalSchema);

  return {
    findByKey: async (
      managerId: number,
      key: string,
    ): Promise<{ requestFingerprint: string; expiresAt: number } | null> => {
      const document = await approvals.findOne({ manager_id: managerId, key });
      if (!document) return null;
      return {
        requestFingerprint: document.request_fingerprint ?? '',
        expiresAt: document.expires_at.getTime(),
      };
    },
    /** Inserts an approval. Fails as a duplicate if its step-up token or its idempotency key was used before. */
    insert: async (approval: PinResetApproval, { now, session }: { now: number; session: Session }): Promise<void> => {
      await approvals.insertOne(toDocument(approval, now), { session });
    },
  };
}

const toDocument = ({ userId, by, expiresAt }: PinResetApproval, now: number): ApprovalDocument => ({
  user_id: userId,
  expires_at: new Date(expiresAt),
  created_at: new Date(now),
  ...(by && { manager_id: by.managerId, jti: by.jti }),
  ...(by?.request && { key: by.request.key, request_fingerprint: by.request.fingerprint }),
});
