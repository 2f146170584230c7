import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Connection } from 'mongoose';

const codeId = 'first_manager';
type SetupDocument = { _id: typeof codeId; code_hash: string; expires_at: Date };
export const setupSchema = collectionSchema<SetupDocument>('setup', {
  _id: { type: String, enum: [codeId] },
  code_hash: { type: String, required: true, maxlength: 64 },
  expires_at: { type: Date, required: true },
});

/** A stored setup code. `expiresAt`: in milliseconds since the epoch. */
export type SetupCode = { hash: string; expiresAt: number };
export type SetupStore = ReturnType<typeof createSetupStore>;

/** Creates the store for the setup code in `setup`. There is at most one, and none once a manager exists. */
export function createSetupStore(connection: Connection) {
  const setup = collectionOf(connection, setupSchema);
  return {
    /** Returns the setup code; null if there is none. */
    findCode: async (session?: Session): Promise<SetupCode | null> => {
      const found = await setup.findOne({ _id: codeId }, { ...(session && { session }) });
      return found && { hash: found.code_hash, expiresAt: found.expires_at.getTime() };
    },
    /** Stores a setup code, which replaces an earlier one. */
    replaceCode: async ({ hash, expiresAt }: SetupCode): Promise<void> => {
      const change = { $set: { code_hash: hash, expires_at: new Date(expiresAt) } };
      await setup.updateOne({ _id: codeId }, change, { upsert: true });
    },
    /** Removes the setup code, if there is one. Of two transactions that do so at the same time, one is retried. */
    removeCode: async (session: Session): Promise<void> => {
      await setup.deleteOne({ _id: codeId }, { session });
    },
  };
}
