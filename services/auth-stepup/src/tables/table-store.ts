import { randomBytes } from 'node:crypto';
import { textKey } from '@comanda/contracts/text-key';
import { outboxFields, outboxIndex, type WithOutbox } from '@comanda/shared/messaging/outbox-store';
import type { Message } from '@comanda/shared/messaging/publisher';
import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import { rangeOfSpellings } from '@comanda/shared/mongo/spellings';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import { isDuplicate, type Session } from '@comanda/shared/mongo/transactions';
import type { Connection, mongo } from 'mongoose';
import { takeNumbers } from '../ids/counter-store.ts';
import { seatingOpeners, type Admission, type SeatingOpener, type Table } from './table.ts';

type AdmissionDocument = { seating: number; token_nonce: string };
/** A stored table. Tables from earlier releases lack the optional fields. */
type TableDocument = Partial<WithOutbox> & {
  _id: string;
  token_nonce: string;
  token_key_id: string;
  rotated_at: Date;
  seating: number | null;
  seating_opened_by: SeatingOpener | null;
  seated_at?: Date | null;
  needs_cleaning?: boolean;
  admits?: AdmissionDocument[];
  version?: number;
};
export const tableSchema = collectionSchema<TableDocument>('tables', {
  _id: { type: String, maxlength: 16 },
  token_nonce: { type: String, required: true },
  token_key_id: { type: String, required: true },
  rotated_at: { type: Date, required: true },
  seating: { type: Number },
  seating_opened_by: { type: String, enum: seatingOpeners },
  seated_at: { type: Date },
  needs_cleaning: { type: Boolean, allowNull: false },
  admits: {
    type: [
      embeddedSchema<AdmissionDocument>({
        seating: { type: Number, required: true, min: 1 },
        token_nonce: { type: String, required: true },
      }),
    ],
    allowNull: false,
  },
  version: { type: Number, min: 1, allowNull: false },
  ...outboxFields,
}).index(...outboxIndex);

export type TableStore = ReturnType<typeof createTableStore>;

const newNonce = (): string => randomBytes(16).toString('base64url');
/** The id of the key for the new tokens, and the time in milliseconds since the epoch. */
type NewCode = { keyId: string; now: number };
const toNewDocument = (name: string, { keyId, now }: NewCode): TableDocument => ({
  _id: name,
  token_nonce: newNonce(),
  token_key_id: keyId,
  rotated_at: new Date(now),
  seating: null,
  seating_opened_by: null,
  seated_at: null,
  needs_cleaning: false,
  admits: [],
  version: 1,
  outbox: [],
});
const withoutOutbox = { projection: { outbox: 0, outbox_claim: 0 } } as const;

/** Creates the store for tables in `tables`. Each seating has a unique number, which joined tables share. */
export function createTableStore(connection: Connection) {
  const tables = collectionOf(connection, tableSchema);
  const findOne = async (filter: mongo.Filter<TableDocument>, session?: Session): Promise<Table | null> => {
    const document = await tables.findOne(filter, { ...withoutOutbox, ...(session && { session }) });
    return document && toTable(document);
  };

  return {
    /** The raw collection, for publishing the outbox. */
    collection: tables as unknown as mongo.Collection,
    /** Finds the table with exactly this name or, if there is none, one whose name has the same `textKey`: `T9` finds `t9`. */
    findByName: async (name: string, session?: Session): Promise<Table | null> => {
      const named = await findOne({ _id: name }, session);
      if (named) return named;
      const filter = { _id: rangeOfSpellings(name) };
      const near = await tables.find(filter, { ...withoutOutbox, ...(session && { session }) }).toArray();
      const found = near.find(({ _id }) => textKey(_id) === textKey(name));
      return found ? toTable(found) : null;
    },
    /** Finds the table where guests now sit who scanned a code during that seating, at this table or another one. */
    findByScan: ({ table: _id, seating, tokenNonce }: Admission & { table: string }): Promise<Table | null> => {
      const scanned = { seating, token_nonce: tokenNonce };
      return findOne({
        $or: [
          { _id, ...scanned },
          { seating: { $ne: null }, admits: { $elemMatch: scanned } },
        ],
      });
    },
    /** Finds all tables with this seating: more than one if tables were joined. */
    findBySeating: async (seating: number, session: Session): Promise<Table[]> => {
      const documents = await tables.find({ seating }, { ...withoutOutbox, session }).toArray();
      return documents.map(toTable);
    },
    /** Returns all tables, sorted by name; numbers in names are sorted by value. */
    findAll: async (session?: Session): Promise<Table[]> => {
      const byName = { locale: 'en', numericOrdering: true };
      const options = { ...withoutOutbox, ...(session && { session }) };
      const documents = await tables.find({}, options).collation(byName).sort({ _id: 1 }).toArray();
      return documents.map(toTable);
    },
    /** Inserts tables without guests. @throws WriteConflict if one of them is added twice at the same time */
    insert: async (names: readonly string[], code: NewCode, session: Session): Promise<Table[]> => {
      const documents = names.map((name) => toNewDocument(name, code));
      try {
        await tables.insertMany(documents, { session });
      } catch (error) {
        throw isDuplicate(error) ? new WriteConflict() : error;
      }
      return documents.map(toTable);
    },
    /** Removes every admission with this nonce, so that guests who scanned that code no longer sit at any table. */
    forgetScans: async (tokenNonce: string, session: Session): Promise<void> => {
      const filter = { 'admits.token_nonce': tokenNonce };
      await tables.updateMany(filter, { $pull: { admits: { token_nonce: tokenNonce } } }, { session });
    },
    /** Writes a table that was read in the same transaction. Returns all events in the table's outbox, oldest first. */
    update: async (table: Table, { message, session }: { message: Message; session: Session }) => {
      const stored = await tables.findOneAndUpdate(
        { _id: table.name },
        { $set: toFields(table), $push: { outbox: message } },
        { returnDocument: 'after', session },
      );
      if (!stored) throw new WriteConflict();
      return stored.outbox ?? [];
    },
    /**
     * Deletes a table with its outbox. Returns both, so that the events can be stored elsewhere in the same transaction; null if
     * the table does not exist.
     */
    delete: async (name: string, session: Session): Promise<{ table: Table; waiting: readonly Message[] } | null> => {
      const document = await tables.findOneAndDelete({ _id: name }, { session });
      return document && { table: toTable(document), waiting: document.outbox ?? [] };
    },
    newNonce,
    takeSeating: (): Promise<number> => takeNumbers(connection, { of: 'seating' }),
  };
}

const toFields = (table: Table): Omit<TableDocument, '_id' | keyof WithOutbox> => ({
  token_nonce: table.tokenNonce,
  token_key_id: table.tokenKeyId,
  rotated_at: new Date(table.rotatedAt),
  seating: table.seating,
  seating_opened_by: table.seatingOpenedBy,
  seated_at: table.seatedAt === null ? null : new Date(table.seatedAt),
  needs_cleaning: table.needsCleaning,
  admits: table.admits.map(({ seating, tokenNonce }) => ({ seating, token_nonce: tokenNonce })),
  version: table.version,
});
const toTable = ({ _id: name, admits = [], ...document }: TableDocument): Table => ({
  name,
  tokenNonce: document.token_nonce,
  tokenKeyId: document.token_key_id,
  rotatedAt: document.rotated_at.getTime(),
  seating: document.seating,
  seatingOpenedBy: document.seating_opened_by,
  // Null without a seating: an instance that still runs the previous release does not clear this field when it closes a table.
  seatedAt: document.seating === null ? null : (document.seated_at?.getTime() ?? null),
  needsCleaning: document.needs_cleaning ?? false,
  admits:
    document.seating === null ? [] : admits.map(({ seating, token_nonce: tokenNonce }) => ({ seating, tokenNonce })),
  version: document.version ?? 1,
});
