import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import type { Session } from '@comanda/shared/mongo/transactions';
import mongoose, { type Connection } from 'mongoose';
import type { EncodedPicture } from './encode-picture.ts';

type Uploader = { id: number; name: string };
/** A picture of a dish. A document has at most 16 MB, and both sizes together have less than one. */
type PictureDocument = {
  /** SHA-256 of `large`. */
  _id: string;
  large: mongoose.mongo.Binary;
  small: mongoose.mongo.Binary;
  /** Who has uploaded it last, and when. */
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
  // With the id, so that the list of ids is read without a picture.
  .index({ uploaded_at: -1, _id: 1 });

export type PictureStore = ReturnType<typeof createPictureStore>;

/** The uploaded pictures of dishes. */
export function createPictureStore(connection: Connection) {
  const pictures = collectionOf(connection, pictureSchema);
  return {
    /** Returns whether it is new. */
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
     * Says whether it is stored, and if so, changes `uploaded_at` by a millisecond: a removal that has read it before leaves it,
     * and one of the same moment conflicts with the transaction.
     */
    keep: async (id: string, session: Session): Promise<boolean> => {
      const later = [{ $set: { uploaded_at: { $add: ['$uploaded_at', 1] } } }];
      return (await pictures.updateOne({ _id: id }, later, { session })).matchedCount > 0;
    },
    /** All pictures, the one that was uploaded last first. */
    findAll: async (): Promise<StoredPicture[]> => {
      const found = pictures.find({}, { projection: { _id: 1, uploaded_at: 1 } }).sort({ uploaded_at: -1, _id: 1 });
      return (await found.toArray()).map(({ _id: id, uploaded_at: at }) => ({ id, at }));
    },
    /** Removes those that were not uploaded again, or kept, since they were read. */
    remove: async (read: readonly StoredPicture[]): Promise<void> => {
      const asRead = read.map(({ id, at }) => ({ _id: id, uploaded_at: at }));
      if (asRead.length > 0) await pictures.deleteMany({ $or: asRead }, { maxTimeMS: 900 });
    },
  };
}
