import { randomBytes } from 'node:crypto';
import type { Connection } from 'mongoose';
import type { Table } from './table.ts';

type TableDocument = { _id: string; token_nonce: string; token_key_id: string; seating: number | null };
export type TableStore = ReturnType<typeof createTableStore>;

const newNonce = (): string => randomBytes(16).toString('base64url');
const toTable = ({ _id, token_nonce, token_key_id, seating }: TableDocument): Table => ({
  name: _id,
  tokenNonce: token_nonce,
  tokenKeyId: token_key_id,
  seating,
});

/** Tables in `tables`. A seating is a number that no other seating gets. */
export function createTableStore(connection: Connection) {
  const tables = connection.collection<TableDocument>('tables');
  const counters = connection.collection<{ _id: string; value: number }>('counters');

  async function nextSeating(): Promise<number> {
    const change = { $inc: { value: 1 } };
    const counter = await counters.findOneAndUpdate({ _id: 'seating' }, change, {
      upsert: true,
      returnDocument: 'after',
    });
    return counter?.value ?? 1;
  }

  return {
    findByName: async (name: string): Promise<Table | null> => {
      const document = await tables.findOne({ _id: name });
      return document && toTable(document);
    },
    /** Sorted by name, numbers in names by value. */
    findAll: async (): Promise<Table[]> => {
      const byName = { locale: 'en', numericOrdering: true };
      const documents = await tables.find().collation(byName).sort({ _id: 1 }).toArray();
      return documents.map(toTable);
    },
    /** Adds the table, or gives it a new token, with the key `tokenKeyId`; its seating stays. */
    upsert: async (
      name: string,
      { tokenKeyId }: { tokenKeyId: string },
    ): Promise<{ kind: 'inserted' | 'updated'; table: Table }> => {
      const token_nonce = newNonce();
      const before = await tables.findOneAndUpdate(
        { _id: name },
        { $set: { token_nonce, token_key_id: tokenKeyId }, $setOnInsert: { seating: null } },
        { upsert: true, returnDocument: 'before' },
      );
      const table = { name, tokenNonce: token_nonce, tokenKeyId, seating: before?.seating ?? null };
      return { kind: before ? 'updated' : 'inserted', table };
    },
    /** Returns false if no such table exists. */
    delete: async (name: string): Promise<boolean> => {
      const { deletedCount } = await tables.deleteOne({ _id: name });
      return deletedCount === 1;
    },
    /** The table's seating; opens one if there is none. Returns null if the table has another token now. */
    openSeating: async ({ name, tokenNonce }: Table): Promise<number | null> => {
      for (;;) {
        const document = await tables.findOne({ _id: name, token_nonce: tokenNonce });
        if (!document) return null;
        if (document.seating !== null) return document.seating;
        const seating = await nextSeating();
        // Of concurrent guests the first one sets it; the next read shows it to all.
        await tables.updateOne({ _id: name, token_nonce: tokenNonce, seating: null }, { $set: { seating } });
      }
    },
    /** Returns false if no such table exists. */
    closeSeating: async (name: string): Promise<boolean> => {
      const { matchedCount } = await tables.updateOne({ _id: name }, { $set: { seating: null } });
      return matchedCount === 1;
    },
  };
}
