import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
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
    /** The ids of all pictures, the one that was uploaded last first. */
    findIds: async (): Promise<string[]> => {
      const found = pictures.find({}, { projection: { _id: 1 } }).sort({ uploaded_at: -1, _id: 1 });
      return (await found.toArray()).map(({ _id: id }) => id);
    },
    remove: async (ids: readonly string[]): Promise<void> => {
      if (ids.length > 0) await pictures.deleteMany({ _id: { $in: [...ids] } }, { maxTimeMS: 900 });
    },
  };
}
