import { roles, type Role } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problem';
import { auditDays } from '@comanda/contracts/rules';
import { auditTypes, type AuditDetails, type AuditType } from '@comanda/contracts/audit';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import { isDuplicate, type Session } from '@comanda/shared/mongo/transactions';
import type { Connection } from 'mongoose';
import { takeNumbers } from '../ids/counter-store.ts';
import type { AuditEntry } from './audit-entry.ts';
import { createSecurityLogStore } from './security-log-store.ts';

type AuditDocument = {
  _id: number;
  type: AuditType;
  time: Date;
  actor_id: number | null;
  actor_role: Role | 'operator';
  user_id: number | null;
  details: AuditDetails;
  address: string;
  jti?: string;
};
export type StoredAuditEntry = Pick<AuditEntry, 'type' | 'time' | 'userId' | 'details'> & {
  id: number;
  actor: { id: number | null; role: Role | 'operator' };
  address: string;
};
export type AuditStore = ReturnType<typeof createAuditStore>;
type Page = { userId: number | undefined; before: number | null; limit: number };

const retentionS = auditDays * 24 * 3600;

export const auditSchema = collectionSchema<AuditDocument>('audit', {
  _id: { type: Number, min: 1 },
  type: { type: String, required: true, enum: auditTypes },
  time: { type: Date, required: true },
  actor_id: { type: Number },
  actor_role: { type: String, required: true, enum: [...roles, 'operator'] },
  user_id: { type: Number },
  details: { type: Object, required: true },
  address: { type: String, required: true },
  jti: { type: String, allowNull: false },
})
  .index({ user_id: 1, _id: -1 })
  .index({ jti: 1 }, { unique: true, partialFilterExpression: { jti: { $exists: true } } })
  .index({ time: 1 }, { expireAfterSeconds: retentionS });

/**
 * Creates the store for entries in `audit`, which are kept for 180 days. An entry about a user is also a security event for that
 * user.
 */
export function createAuditStore(connection: Connection) {
  const audit = collectionOf(connection, auditSchema);
  const securityLog = createSecurityLogStore(connection);

  return {
    /**
     * Inserts entries with consecutive ids, in the caller's transaction.
     * @throws 401 `step_up_used` if an entry with the same step-up token is already stored
     */
    insert: async (entries: readonly AuditEntry[], session: Session): Promise<void> => {
      if (entries.length === 0) return;
      // The ids are reserved in the transaction, so that they follow the order of commits without gaps.
      const firstId = await takeNumbers(connection, { of: 'audit', count: entries.length, session });
      try {
        const documents = entries.map((entry, index) => toDocument(entry, firstId + index));
        await audit.insertMany(documents, { session });
      } catch (error) {
        if (isDuplicate(error)) throw problem('step_up_used');
        throw error;
      }
      for (const { userId, type, time, origin } of entries)
        if (userId !== null) await securityLog.insert({ userId, type, time, ...origin }, session);
    },
    /**
     * Returns entries, newest first. With `userId`, returns only entries about that user; with `before`, only entries with
     * smaller ids.
     */
    list: async ({ userId, before, limit }: Page): Promise<StoredAuditEntry[]> => {
      const filter = {
        ...(userId !== undefined && { user_id: userId }),
        ...(before !== null && { _id: { $lt: before } }),
      };
      const documents = await audit.find(filter).sort({ _id: -1 }).limit(limit).toArray();
      return documents.map(toStoredEntry);
    },
  };
}

const toDocument = ({ type, time, actor, userId, details, origin, jti }: AuditEntry, id: number): AuditDocument => ({
  _id: id,
  type,
  time: new Date(time),
  actor_id: actor.id,
  actor_role: actor.role,
  user_id: userId,
  details,
  address: origin.address,
  ...(jti !== undefined && { jti }),
});

const toStoredEntry = ({ _id: id, ...document }: AuditDocument): StoredAuditEntry => ({
  id,
  type: document.type,
  time: document.time.getTime(),
  actor: { id: document.actor_id, role: document.actor_role },
  userId: document.user_id,
  details: document.details,
  address: document.address,
});
