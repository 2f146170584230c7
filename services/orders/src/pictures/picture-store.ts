import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import type { Session } from '@comanda/shared/mongo/transactions';
import mongoose, { type Connection } from 'mongoose';
import type { EncodedPicture } from './encode-picture.ts';

type Uploader = { id: number; name: string };
/** A stored picture of a dish. Both sizes together take less than 1 MB; a MongoDB document may have 16 MB. */
type PictureDocument = {
  /** The SHA-256 of `large`. */
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
  // Includes the id, so that listing ids doesn't load the pictures.
  .index({ uploaded_at: -1, _id: 1 });

export type PictureStore = ReturnType<typeof createPictureStore>;

/** Creates the store for uploaded pictures of dishes. */
export function createPictureStore(connection: Connection) {
  const pictures = collectionOf(connection, pictureSchema);
  return {
    /** Stores a picture, or updates its last upload. Returns true if the picture is new. */
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
     * Returns true if the picture is stored, and raises its `uploaded_at` by a millisecond. A removal that fetched its list
     * earlier then leaves the picture, and a simultaneous removal conflicts with the transaction.
     */
    keep: async (id: string, session: Session): Promise<boolean> => {
      const later = [{ $set: { uploaded_at: { $add: ['$uploaded_at', 1] } } }];
      return (await pictures.updateOne({ _id: id }, later, { session })).matchedCount > 0;
    },
    /** Fetches all pictures' ids and upload times, latest upload first. */
    findAll: async (): Promise<StoredPicture[]> => {
      const found = pictures.find({}, { projection: { _id: 1, uploaded_at: 1 } }).sort({ uploaded_at: -1, _id: 1 });
      return (await found.toArray()).map(({ _id: id, uploaded_at: at }) => ({ id, at }));
    },
    /** Removes the pictures in `read`, except any that were uploaded again or kept in the meantime. */
    remove: async (read: readonly StoredPicture[]): Promise<void> => {
      const asRead = read.map(({ id, at }) => ({ _id: id, uploaded_at: at }));
      if (asRead.length > 0) await pictures.deleteMany({ $or: asRead }, { maxTimeMS: 900 });
    },
  };
}
