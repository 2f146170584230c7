import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import { isDuplicate } from '@comanda/shared/mongo/transactions';
import type { Connection } from 'mongoose';
import type { AuditEntry } from '../security-log/audit-entry.ts';
import type { WriteAudited } from '../security-log/write-audited.ts';
import { authorizeManager } from '../users/authorize-manager.ts';
import type { UserStore } from '../users/user-store.ts';
import type { PinStore } from './pin-store.ts';

/** A permission for `userId` to reset the PIN. `by` is null if an operator approved it, without a step-up token. */
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
type Options = {
  connection: Connection;
  writeAudited: WriteAudited;
  pins: Pick<PinStore, 'allowReset'>;
  users: Pick<UserStore, 'lockManager'>;
};

/** How long an idempotency key returns the same response, in seconds. */
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
export function createPinResetApprovalStore({ connection, writeAudited, pins, users }: Options) {
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
    /**
     * Stores the approval, allows the reset and stores `entry`, all in one transaction. If the token or the idempotency key was
     * used before, writes nothing and returns `duplicate`.
     * @throws 401 `invalid_token` or 403 `forbidden` if the approver is no longer a manager
     */
    insert: async (approval: PinResetApproval, entry: AuditEntry): Promise<'inserted' | 'duplicate'> => {
      const { userId, expiresAt } = approval;
      const document = toDocument(approval, entry.time);
      try {
        return await writeAudited(async (session) => {
          if (approval.by) await authorizeManager({ users }, approval.by.managerId, session);
          await approvals.insertOne(document, { session });
          await pins.allowReset(userId, expiresAt, session);
          return { value: 'inserted', entries: [entry] };
        });
      } catch (error) {
        if (isDuplicate(error)) return 'duplicate';
        throw error;
      }
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
