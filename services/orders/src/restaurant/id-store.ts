import type { Connection } from 'mongoose';
import { collectionOf } from '@comanda/shared/mongo/collections';
import type { Session } from '@comanda/shared/mongo/transactions';
import { restaurantSchema } from './restaurant-document.ts';

export type IdStore = ReturnType<typeof createIdStore>;

/**
 * Creates the store for the ids of dishes, option groups and calls. The document of each counter is also a lock: for categories and
 * option groups, and for calls.
 */
export function createIdStore(connection: Connection) {
  const documents = collectionOf(connection, restaurantSchema);
  return {
    /** Takes the next dish id. With `count`, takes that many ids, and returns the first. */
    takeDishId: async ({ count = 1, session }: { count?: number; session?: Session } = {}): Promise<number> => {
      const counter = await documents.findOneAndUpdate(
        { _id: 'dishes' },
        { $inc: { last_dish_id: count } },
        { returnDocument: 'after', ...(session && { session }) },
      );
      if (counter?.last_dish_id === undefined) throw new Error('The counter of dishes is missing.');
      return counter.last_dish_id - count + 1;
    },
    /**
     * Takes these numbers of ids for option groups and their options. Returns the first of each. Ids are never used again, even if
     * their group is removed.
     */
    takeOptionIds: async (
      { groups, options }: { groups: number; options: number },
      session: Session,
    ): Promise<{ groupId: number; optionId: number }> => {
      const counter = await documents.findOneAndUpdate(
        { _id: 'dishes' },
        { $inc: { last_option_group_id: groups, last_option_id: options } },
        { returnDocument: 'after', session },
      );
      const { last_option_group_id: lastGroup = 0, last_option_id: lastOption = 0 } = counter ?? {};
      return { groupId: lastGroup - groups + 1, optionId: lastOption - options + 1 };
    },
    /**
     * Locks the categories and the option groups. Until the transaction ends, it conflicts with any other transaction that locks
     * them.
     */
    lockCategories: async (session: Session): Promise<void> => {
      await documents.updateOne({ _id: 'dishes' }, { $inc: { version: 1 } }, { session });
    },
    /** Takes the next call id. Until the transaction ends, it conflicts with any other transaction that takes a call id. */
    takeCallId: async (session: Session): Promise<number> => {
      const counter = await documents.findOneAndUpdate(
        { _id: 'calls' },
        { $inc: { last_call_id: 1 } },
        { returnDocument: 'after', session },
      );
      if (counter?.last_call_id === undefined) throw new Error('The counter of calls is missing.');
      return counter.last_call_id;
    },
  };
}
