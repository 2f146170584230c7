import mongoose from 'mongoose';
import type { Connection } from 'mongoose';
import type { NoteType, Origin } from './security-log.ts';

type EventDocument = { userID: number; type: NoteType; time: Date } & Origin;
export type LoggedEvent = { id: string; type: NoteType; time: number } & Origin;
export type SecurityLogStore = ReturnType<typeof createSecurityLogStore>;

const keptS = 180 * 24 * 3600;

/** `securityEvents`, kept for 180 days. */
export function createSecurityLogStore(connection: Connection) {
  const events = connection.collection<EventDocument>('securityEvents');
  return {
    prepare: async (): Promise<void> => {
      await events.createIndex({ userID: 1, time: -1, _id: -1 });
      await events.createIndex({ time: 1 }, { expireAfterSeconds: keptS });
    },
    insert: async ({ userId, time, ...event }: Omit<LoggedEvent, 'id'> & { userId: number }): Promise<void> => {
      await events.insertOne({ ...event, userID: userId, time: new Date(time) });
    },
    /** Newest first, those after `position`. */
    page: async (
      userId: number,
      { after, limit }: { after: { time: number; id: string } | null; limit: number },
    ): Promise<LoggedEvent[]> => {
      const older = after && [
        { time: { $lt: new Date(after.time) } },
        { time: new Date(after.time), _id: { $lt: new mongoose.mongo.ObjectId(after.id) } },
      ];
      const found = await events
        .find({ userID: userId, ...(older && { $or: older }) })
        .sort({ time: -1, _id: -1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id: id, userID: _userId, time, ...event }) => ({
        ...event,
        id: id.toHexString(),
        time: time.getTime(),
      }));
    },
  };
}
