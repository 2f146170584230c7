import type { Connection } from 'mongoose';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import { takeNumbers } from '../ids/counter-store.ts';
import type { Guest } from './guest.ts';

type GuestDocument = { _id: number; name: string; session_epoch: number; created_at: Date; session_ends_at: Date };
type NewGuest = { name: string; createdAt: number; sessionEndsAt: number };
export type GuestStore = ReturnType<typeof createGuestStore>;

/** How long a guest is stored after the latest possible end of the session, in seconds. The guest's orders keep the name. */
const retentionS = 30 * 24 * 3600;

export const guestSchema = collectionSchema<GuestDocument>('guests', {
  _id: { type: Number, min: 1 },
  name: { type: String, required: true, maxlength: 255 },
  session_epoch: { type: Number, required: true },
  created_at: { type: Date, required: true },
  session_ends_at: { type: Date, required: true },
})
  // MongoDB deletes guests 30 days after their session.
  .index({ session_ends_at: 1 }, { expireAfterSeconds: retentionS });

/**
 * Creates the store for guests in `guests`. The ids of guests and users come from the same counter, so they are always different.
 */
export function createGuestStore(connection: Connection) {
  const guests = collectionOf(connection, guestSchema);
  return {
    insert: async ({ name, createdAt, sessionEndsAt }: NewGuest): Promise<Guest> => {
      const document = {
        _id: await takeNumbers(connection, { of: 'usuarioID' }),
        name,
        session_epoch: 1,
        created_at: new Date(createdAt),
        session_ends_at: new Date(sessionEndsAt),
      };
      await guests.insertOne(document);
      return toGuest(document);
    },
    findById: async (id: number): Promise<Guest | null> => {
      const document = await guests.findOne({ _id: id });
      return document && toGuest(document);
    },
    endSessions: async (id: number): Promise<void> => {
      await guests.updateOne({ _id: id }, { $inc: { session_epoch: 1 } });
    },
  };
}

const toGuest = ({ _id: id, name, session_epoch: sessionEpoch, created_at: createdAt }: GuestDocument): Guest => ({
  id,
  name,
  role: 'customer',
  mustChangePassword: false,
  sessionEpoch,
  createdAt: createdAt.getTime(),
});
