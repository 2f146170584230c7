import { randomBytes } from 'node:crypto';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import { isDuplicate, type Session } from '@comanda/shared/mongo/transactions';
import type { Connection } from 'mongoose';
import { takeNumbers } from '../ids/counter-store.ts';
import { seatingOpeners, type SeatingOpener, type Table } from './table.ts';

type TableDocument = {
  _id: string;
  token_nonce: string;
  token_key_id: string;
  rotated_at: Date;
  seating: number | null;
  seating_opened_by: SeatingOpener | null;
};
export const tableSchema = collectionSchema<TableDocument>('tables', {
  _id: { type: String, maxlength: 16 },
  token_nonce: { type: String, required: true },
  token_key_id: { type: String, required: true },
  rotated_at: { type: Date, required: true },
  seating: { type: Number },
  seating_opened_by: { type: String, enum: seatingOpeners },
});
type NewToken = { keyId: string; now: number };
export type TableStore = ReturnType<typeof createTableStore>;

const newNonce = (): string => randomBytes(16).toString('base64url');
const toTable = ({ _id: name, ...document }: TableDocument): Table => ({
  name,
  tokenNonce: document.token_nonce,
  tokenKeyId: document.token_key_id,
  rotatedAt: document.rotated_at.getTime(),
  seating: document.seating,
  seatingOpenedBy: document.seating_opened_by,
});

/** Tables in `tables`. A seating is a number that no other seating gets. */
export function createTableStore(connection: Connection) {
  const tables = collectionOf(connection, tableSchema);

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
    /** Adds the table, or gives it a new token; its seating stays. @throws WriteConflict if it is added twice at once */
    upsert: async (
      name: string,
      { keyId, now }: NewToken,
      session: Session,
    ): Promise<{ kind: 'inserted' | 'updated'; table: Table }> => {
      const change = {
        $set: { token_nonce: newNonce(), token_key_id: keyId, rotated_at: new Date(now) },
        $setOnInsert: { seating: null, seating_opened_by: null },
      };
      try {
        const { matchedCount } = await tables.updateOne({ _id: name }, change, { upsert: true, session });
        const document = await tables.findOne({ _id: name }, { session });
        if (!document) throw new WriteConflict();
        return { kind: matchedCount === 1 ? 'updated' : 'inserted', table: toTable(document) };
      } catch (error) {
        throw isDuplicate(error) ? new WriteConflict() : error;
      }
    },
    /** Returns the table as it was; null if no such table exists. */
    delete: async (name: string, session: Session): Promise<Table | null> => {
      const document = await tables.findOneAndDelete({ _id: name }, { session });
      return document && toTable(document);
    },
    /**
     * Opens a seating if the table has none. A seating that staff open again counts as opened by staff. Returns null if no
     * such table exists, or it has another token than `tokenNonce`.
     */
    openSeating: async (
      { name, tokenNonce }: Pick<Table, 'name'> & Partial<Table>,
      openedBy: SeatingOpener,
    ): Promise<Table | null> => {
      for (;;) {
        const filter = { _id: name, ...(tokenNonce !== undefined && { token_nonce: tokenNonce }) };
        const document = await tables.findOne(filter);
        if (!document) return null;
        const { seating, seating_opened_by: opener } = document;
        if (seating !== null && (openedBy === 'guest' || opener === 'staff')) return toTable(document);
        const change = {
          seating: seating ?? (await takeNumbers(connection, { of: 'seating' })),
          seating_opened_by: openedBy,
        };
        // Of concurrent requests the first one sets it; the next read shows it to all.
        await tables.updateOne({ ...filter, seating }, { $set: change });
      }
    },
    /** Does nothing if the table has another seating by now, or none. */
    closeSeating: async (name: string, seating: number): Promise<void> => {
      await tables.updateOne({ _id: name, seating }, { $set: { seating: null, seating_opened_by: null } });
    },
  };
}
