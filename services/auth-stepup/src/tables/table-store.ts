import { randomBytes } from 'node:crypto';
import type { Connection } from 'mongoose';
import type { Table } from './table.ts';

type TableDocument = { _id: string; tokenNonce: string; seating: number | null };
export type TableStore = ReturnType<typeof createTableStore>;

const newNonce = (): string => randomBytes(16).toString('base64url');
const toTable = ({ _id: name, tokenNonce, seating }: TableDocument): Table => ({ name, tokenNonce, seating });

/** Tables in `tables`; a seating is a number that no other seating ever has. */
export function createTableStore(connection: Connection) {
  const tables = connection.collection<TableDocument>('tables');
  const counters = connection.collection<{ _id: string; value: number }>('counters');

  const byName = async (name: string): Promise<Table | null> => {
    const found = await tables.findOne({ _id: name });
    return found && toTable(found);
  };
  return {
    byName,
    all: async (): Promise<Table[]> => {
      const found = await tables.find().collation({ locale: 'en', numericOrdering: true }).sort({ _id: 1 }).toArray();
      return found.map(toTable);
    },
    /** Adds the table, or gives it another token; who sits there stays. */
    put: async (name: string): Promise<{ table: Table; is: 'new' | 'there before' }> => {
      const before = await tables.findOneAndUpdate(
        { _id: name },
        { $set: { tokenNonce: newNonce() }, $setOnInsert: { seating: null } },
        { upsert: true, returnDocument: 'before' },
      );
      const table = await byName(name);
      if (!table) throw new Error(`table ${name} went while it was put`);
      return { table, is: before ? 'there before' : 'new' };
    },
    remove: async (name: string): Promise<boolean> => {
      const { deletedCount } = await tables.deleteOne({ _id: name });
      return deletedCount === 1;
    },
    /** The seating at a table: the one there, or a new one; null where the token has died meanwhile. */
    seat: async ({ name, tokenNonce }: Table): Promise<number | null> => {
      for (;;) {
        const there = await tables.findOne({ _id: name, tokenNonce });
        if (!there) return null;
        if (there.seating !== null) return there.seating;
        const counter = await counters.findOneAndUpdate(
          { _id: 'seating' },
          { $inc: { value: 1 } },
          { upsert: true, returnDocument: 'after' },
        );
        // Whoever comes second finds the first one's.
        await tables.updateOne({ _id: name, tokenNonce, seating: null }, { $set: { seating: counter?.value ?? 1 } });
      }
    },
    /** Ends the seating; false where there is no such table. */
    close: async (name: string): Promise<boolean> => {
      const { matchedCount } = await tables.updateOne({ _id: name }, { $set: { seating: null } });
      return matchedCount === 1;
    },
  };
}
