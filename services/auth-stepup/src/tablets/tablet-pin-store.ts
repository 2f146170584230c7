import { randomUUID } from 'node:crypto';
import { collectionOf } from '@comanda/shared/mongo/collections';
import type { Session } from '@comanda/shared/mongo/transactions';
import type { Connection, mongo } from 'mongoose';
import type { HashedPin } from '../pin/pin-hasher.ts';
import { toUser, userSchema, type UserDocument } from '../users/user-document.ts';
import type { User } from '../users/user.ts';

/** A user who may sign in on tablets, and their tablet PIN. */
export type TabletPinHolder = { user: User; pin: HashedPin & { id: string } };
export type TabletPinStore = ReturnType<typeof createTabletPinStore>;

/** A filter for active waiters with a tablet PIN. A waiter whose password was set by a manager must change the password first. */
const maySignIn = {
  papel: 'waiter',
  status: 'active',
  must_change_password: false,
  'tablet_pin.id': { $exists: true },
} as const satisfies mongo.Filter<UserDocument>;
/** The maximum number of users in a list: more waiters than a restaurant has. */
const maxListed = 200;

/** Creates the store for tablet PINs, which are part of their users' documents (`tablet_pin`). */
export function createTabletPinStore(connection: Connection) {
  const users = collectionOf(connection, userSchema);
  return {
    /** Returns the user with the tablet PIN; null if this user may not sign in on tablets. */
    findByUser: async (userId: number): Promise<TabletPinHolder | null> => {
      const document = await users.findOne({ usuarioID: userId, ...maySignIn });
      if (!document?.tablet_pin) return null;
      const { id, hash, pepper_id: pepperId } = document.tablet_pin;
      return { user: toUser(document), pin: { id, hash, pepperId, isBoundToUser: true } };
    },
    /** Returns the users who may sign in on tablets, sorted by name. */
    listPeople: async (): Promise<{ id: number; name: string }[]> => {
      const projection = { usuarioID: 1, nome: 1 };
      const documents = await users.find(maySignIn, { projection }).sort({ nome: 1 }).limit(maxListed).toArray();
      return documents.map(({ usuarioID: id, nome: name }) => ({ id, name }));
    },
    /**
     * Sets the tablet PIN. The PIN gets a new id, which ends the sessions that used the earlier PIN. Returns false if the
     * password was changed in the meantime.
     */
    set: async (
      { id, passwordHash }: Pick<User, 'id' | 'passwordHash'>,
      { hash, pepperId, now }: HashedPin & { now: number },
      session?: Session,
    ): Promise<boolean> => {
      const pin = { id: randomUUID(), hash, pepper_id: pepperId, created_at: new Date(now) };
      const { matchedCount } = await users.updateOne(
        { usuarioID: id, status: 'active', papel: 'waiter', senhaHash: passwordHash },
        { $set: { tablet_pin: pin } },
        { ...(session && { session }) },
      );
      return matchedCount === 1;
    },
  };
}
