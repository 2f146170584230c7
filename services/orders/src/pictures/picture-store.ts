import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import type { Session } from '@comanda/shared/mongo/transactions';
import mongoose, { type Connection } from 'mongoose';
import type { EncodedPicture } from './encode-picture.ts';

type Uploader = { id: number; name: string };
/** A stored picture of a dish, in two sizes. Both together take less than 1 MB. MongoDB's limit for a document is 16 MB. */
type PictureDocument = {
  /** The SHA-256 hash of `large`, in hexadecimal. */
  _id: string;
  large: mongoose.mongo.Binary;
  small: mongoose.mongo.Binary;
  /** The user who uploaded the picture last, and the time of that upload. */
  uploaded_by: Uploader;
  uploaded_at: Date;
};
export type StoredPicture = { id: string; at: Date };
export type PictureSize = 'large' | 'small';

export const pictureSchema = collectionSchema<PictureDocument>('menu_pictures', {
  _id: { type: String, maxlength: 64 },
  large: { type: Buffer, required: true },
  small: { type: Buffer, required: true },
  uploaded_by: {
    type: embeddedSchema<Uploader>({
      id: { type: Number, required: true },
      name: { type: String, required: true, maxlength: 255 },
    }),
    required: true,
  },
  uploaded_at: { type: Date, required: true },
})
  // Includes the id, so that listing the ids reads only the index and not the pictures.
  .index({ uploaded_at: -1, _id: 1 });

export type PictureStore = ReturnType<typeof createPictureStore>;

/** Creates the store for uploaded pictures of dishes. */
export function createPictureStore(connection: Connection) {
  const pictures = collectionOf(connection, pictureSchema);
  return {
    /** Stores a picture. If it is already stored, updates only the user and time of its last upload. Returns true if it is new. */
    put: async ({ id, large, small, ...upload }: EncodedPicture & { id: string; by: Uploader; at: Date }) => {
      const { upsertedCount } = await pictures.updateOne(
        { _id: id },
        {
          $set: { uploaded_by: upload.by, uploaded_at: upload.at },
          $setOnInsert: { large: new mongoose.mongo.Binary(large), small: new mongoose.mongo.Binary(small) },
        },
        { upsert: true, maxTimeMS: 900 },
      );
      return upsertedCount > 0;
    },
    find: async (id: string, size: PictureSize): Promise<Buffer | null> => {
      const found = await pictures.findOne({ _id: id }, { projection: { [size]: 1 } });
      return found && Buffer.from(found[size].buffer);
    },
    isStored: async (id: string): Promise<boolean> =>
      (await pictures.findOne({ _id: id }, { projection: { _id: 1 } })) !== null,
    /**
     * Returns true if the picture is stored, and increases its `uploaded_at` by 1 ms. A removal that has already listed the
     * picture then skips it, and a simultaneous removal conflicts with this transaction.
     */
    keep: async (id: string, session: Session): Promise<boolean> => {
      const later = [{ $set: { uploaded_at: { $add: ['$uploaded_at', 1] } } }];
      return (await pictures.updateOne({ _id: id }, later, { session })).matchedCount > 0;
    },
    /** Fetches the ids and upload times of all pictures, latest upload first. */
    findAll: async (): Promise<StoredPicture[]> => {
      const found = pictures.find({}, { projection: { _id: 1, uploaded_at: 1 } }).sort({ uploaded_at: -1, _id: 1 });
      return (await found.toArray()).map(({ _id: id, uploaded_at: at }) => ({ id, at }));
    },
    /** Removes these pictures, except those that were uploaded again or given to a dish since they were fetched. */
    remove: async (read: readonly StoredPicture[]): Promise<void> => {
      const asRead = read.map(({ id, at }) => ({ _id: id, uploaded_at: at }));
      if (asRead.length > 0) await pictures.deleteMany({ $or: asRead }, { maxTimeMS: 900 });
    },
  };
}
