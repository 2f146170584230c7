import type { Role } from '@comanda/contracts/endpoint';
import { problem } from '@comanda/contracts/problem';
import { auditDays } from '@comanda/contracts/rules';
import type { AuditDetails, AuditType } from '@comanda/contracts/security';
import { isDuplicate } from '@comanda/shared/mongo/transactions';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Connection } from 'mongoose';
import type { AuditEntry } from './audit-entry.ts';
import type { SecurityLogStore } from './security-log-store.ts';

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
type Options = { connection: Connection; securityLog: Pick<SecurityLogStore, 'insert'> };
type Page = { userId: number | undefined; before: number | null; limit: number };

const retentionS = auditDays * 24 * 3600;

const auditOf = (connection: Connection) => connection.collection<AuditDocument>('audit');

/** Creates the indexes of the pages and of the step-up tokens, and lets MongoDB delete entries after 180 days. */
export async function prepareAudit(connection: Connection): Promise<void> {
  const audit = auditOf(connection);
  await audit.createIndex({ user_id: 1, _id: -1 });
  await audit.createIndex({ jti: 1 }, { unique: true, partialFilterExpression: { jti: { $exists: true } } });
  await audit.createIndex({ time: 1 }, { expireAfterSeconds: retentionS });
}

/** Entries in `audit`, kept for 180 days. An entry about a user is also a security event of that user. */
export function createAuditStore({ connection, securityLog }: Options) {
  const audit = auditOf(connection);
  const counters = connection.collection<{ _id: string; value: number }>('counters');

  /** Ids are taken in the transaction, so that they have the order of the commits, and no gaps. */
  async function takeIds(count: number, session: Session): Promise<number> {
    const change = { $inc: { value: count } };
    const options = { upsert: true, returnDocument: 'after', session } as const;
    const counter = await counters.findOneAndUpdate({ _id: 'audit' }, change, options);
    return (counter?.value ?? count) - count + 1;
  }

  return {
    /** @throws 401 `step_up_used` if an entry with the same step-up token is stored */
    insert: async (entries: readonly AuditEntry[], session: Session): Promise<void> => {
      if (entries.length === 0) return;
      const firstId = await takeIds(entries.length, session);
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
    /** Newest first: of one user, if `userId` is defined; with `before`, only entries with smaller ids. */
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
