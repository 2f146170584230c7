import { isDuplicate } from '@comanda/shared/mongo/transactions';
import type { Transactions } from '@comanda/shared/mongo/transactions';
import type { Connection } from 'mongoose';
import { runUntilThrough } from '../repeated-transaction-store.ts';
import { usuariosOf } from '../people/usuarios-store.ts';

/** That a manager let `userId` reset their PIN; by nobody and without a token where an operator did. */
export type Approval = {
  userId: number;
  by: { managerId: number; jti: string; key: string | null; requestFingerprint: string | null } | null;
  expiresAt: number;
};
type ApprovalDocument = {
  userID: number;
  expiresAt: Date;
  createdAt: Date;
  managerID?: number;
  jti?: string;
  key?: string;
  requestFingerprint?: string;
};
export type ApprovalStore = ReturnType<typeof createApprovalStore>;
type Options = { connection: Connection; transactions: Pick<Transactions, 'run'> };

/** How long an answer is repeated to the same key. */
const keptS = 7 * 24 * 3600;

/** `pinResetApprovals`; what a token has approved once it can't approve again. */
export function createApprovalStore({ connection, transactions }: Options) {
  const approvals = connection.collection<ApprovalDocument>('pinResetApprovals');
  const users = usuariosOf(connection);
  return {
    prepare: async (): Promise<void> => {
      const present = (field: string) => ({ unique: true, partialFilterExpression: { [field]: { $exists: true } } });
      await approvals.createIndex({ jti: 1 }, present('jti'));
      await approvals.createIndex({ managerID: 1, key: 1 }, present('key'));
      await approvals.createIndex({ createdAt: 1 }, { expireAfterSeconds: keptS });
    },
    byKey: async (
      managerId: number,
      key: string,
    ): Promise<{ requestFingerprint: string; expiresAt: number } | null> => {
      const found = await approvals.findOne({ managerID: managerId, key });
      return found && { requestFingerprint: found.requestFingerprint ?? '', expiresAt: found.expiresAt.getTime() };
    },
    /** Writes the approval and what it allows together; `duplicate` where its token or its key was used before. */
    add: async ({ userId, by, expiresAt }: Approval, now: number): Promise<'added' | 'duplicate'> => {
      const document: ApprovalDocument = {
        userID: userId,
        expiresAt: new Date(expiresAt),
        createdAt: new Date(now),
        ...(by && { managerID: by.managerId, jti: by.jti }),
        ...(by?.key !== null &&
          by?.requestFingerprint !== null &&
          by && { key: by.key, requestFingerprint: by.requestFingerprint }),
      };
      try {
        await runUntilThrough(transactions, {
          write: async (session) => {
            await approvals.insertOne(document, { session });
            const pinReset = { expiresAt: new Date(expiresAt) };
            await users.updateOne({ usuarioID: userId }, { $set: { pinReset } }, { session });
            return true;
          },
        });
        return 'added';
      } catch (error) {
        if (isDuplicate(error)) return 'duplicate';
        throw error;
      }
    },
  };
}
