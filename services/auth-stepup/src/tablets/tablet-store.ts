import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Connection } from 'mongoose';
import type { Tablet } from './tablet.ts';

type LastUseDocument = { at: Date; user_id: number };
type TabletDocument = {
  _id: string;
  name: string;
  /** The hash of the credential's secret. */
  hash: string;
  registered_at: Date;
  registered_by: number;
  last_use: LastUseDocument | null;
};
export type TabletStore = ReturnType<typeof createTabletStore>;

export const tabletSchema = collectionSchema<TabletDocument>('tablets', {
  _id: { type: String, maxlength: 22 },
  name: { type: String, required: true, maxlength: 255 },
  hash: { type: String, required: true, maxlength: 64 },
  registered_at: { type: Date, required: true },
  registered_by: { type: Number, required: true, min: 1 },
  last_use: {
    type: embeddedSchema<LastUseDocument>({
      at: { type: Date, required: true },
      user_id: { type: Number, required: true },
    }),
  },
});

/** The maximum number of tablets in a list. No restaurant has this many. */
const maxListed = 200;

/** Creates the store for registered tablets in `tablets`. Removing a document ends the sessions on that tablet. */
export function createTabletStore(connection: Connection) {
  const tablets = collectionOf(connection, tabletSchema);
  return {
    insert: async (tablet: Tablet, hash: string, session: Session): Promise<void> => {
      const { id, name, registeredAt, registeredBy } = tablet;
      const registered = { registered_at: new Date(registeredAt), registered_by: registeredBy };
      await tablets.insertOne({ _id: id, name, hash, ...registered, last_use: null }, { session });
    },
    /** Finds the tablet with this credential; null if there is none. */
    findByCredential: async ({ id, hash }: { id: string; hash: string }): Promise<Tablet | null> => {
      const document = await tablets.findOne({ _id: id });
      // A plain comparison is safe: the secret has 192 random bits, so its timing does not help an attacker guess it.
      return document?.hash === hash ? toTablet(document) : null;
    },
    isRegistered: async (id: string): Promise<boolean> =>
      (await tablets.findOne({ _id: id }, { projection: { _id: 1 } })) !== null,
    /** Returns all tablets, newest first. */
    list: async (): Promise<Tablet[]> => {
      const documents = await tablets.find().sort({ registered_at: -1, _id: 1 }).limit(maxListed).toArray();
      return documents.map(toTablet);
    },
    noteUse: async (id: string, { at, userId }: { at: number; userId: number }): Promise<void> => {
      await tablets.updateOne({ _id: id }, { $set: { last_use: { at: new Date(at), user_id: userId } } });
    },
    /** Removes a tablet and returns it; null if there is no such tablet. */
    remove: async (id: string, session: Session): Promise<Tablet | null> => {
      const document = await tablets.findOneAndDelete({ _id: id }, { session });
      return document && toTablet(document);
    },
  };
}

const toTablet = ({ _id: id, name, ...document }: TabletDocument): Tablet => ({
  id,
  name,
  registeredAt: document.registered_at.getTime(),
  registeredBy: document.registered_by,
  lastUse: document.last_use && { at: document.last_use.at.getTime(), userId: document.last_use.user_id },
});
