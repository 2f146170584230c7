import { auditDays } from '@comanda/contracts/rules';
import type { AuthorizationDetails } from '@comanda/contracts/step-up';
import { collectionOf, collectionSchema } from '@comanda/shared/mongo/collections';
import type { Session } from '@comanda/shared/mongo/transactions';
import mongoose, { type Connection, type mongo } from 'mongoose';
import type { Origin, Purpose, SecurityEventType } from './security-event.ts';

type EventDocument = {
  user_id: number;
  type: SecurityEventType;
  time: Date;
  address: string;
  user_agent: string;
  endpoint_key?: string;
  authorization_details?: AuthorizationDetails;
  jti?: string;
};
/** A user's event that is not stored yet. */
export type NewEvent = Omit<LoggedEvent, 'id'> & { userId: number };
export type LoggedEvent = { id: string; type: SecurityEventType; time: number; purpose?: Purpose } & Origin;
/** The position after which a page of events starts. */
export type LogPosition = Pick<LoggedEvent, 'time' | 'id'>;
export type SecurityLogStore = ReturnType<typeof createSecurityLogStore>;

const retentionS = auditDays * 24 * 3600;

export const securityEventSchema = collectionSchema<EventDocument>('security_events', {
  user_id: { type: Number, required: true },
  type: { type: String, required: true, maxlength: 64 },
  time: { type: Date, required: true },
  address: { type: String, required: true },
  user_agent: { type: String, required: true, maxlength: 255 },
  endpoint_key: { type: String, allowNull: false },
  authorization_details: { type: [Object], allowNull: false },
  jti: { type: String, allowNull: false },
})
  .index({ user_id: 1, time: -1, _id: -1 })
  .index({ time: 1 }, { expireAfterSeconds: retentionS });

/** Creates the store for events in `security_events`, which are kept for 180 days. */
export function createSecurityLogStore(connection: Connection) {
  const events = collectionOf(connection, securityEventSchema);
  return {
    insert: async (event: NewEvent, session?: Session): Promise<void> => {
      await events.insertOne(toDocument(event), { ...(session && { session }) });
    },
    insertAll: async (newEvents: readonly NewEvent[]): Promise<void> => {
      await events.insertMany(newEvents.map(toDocument));
    },
    /** Returns a user's events, newest first. With `after`, returns only older events. */
    list: async (
      userId: number,
      { after, limit }: { after: LogPosition | null; limit: number },
    ): Promise<LoggedEvent[]> => {
      const older = after && [
        { time: { $lt: new Date(after.time) } },
        { time: new Date(after.time), _id: { $lt: new mongoose.mongo.ObjectId(after.id) } },
      ];
      const documents = await events
        .find({ user_id: userId, ...(older && { $or: older }) })
        .sort({ time: -1, _id: -1 })
        .limit(limit)
        .toArray();
      return documents.map(toLoggedEvent);
    },
  };
}

const toDocument = ({ userId, type, time, address, userAgent, purpose }: NewEvent): EventDocument => ({
  user_id: userId,
  type,
  time: new Date(time),
  address,
  user_agent: userAgent,
  ...(purpose && { endpoint_key: purpose.endpointKey }),
  ...(purpose?.details && { authorization_details: purpose.details }),
  ...(purpose?.jti !== undefined && { jti: purpose.jti }),
});

function toLoggedEvent({ _id, type, time, address, ...stored }: mongo.WithId<EventDocument>): LoggedEvent {
  const { user_agent: userAgent, endpoint_key: endpointKey, authorization_details: details = null, jti } = stored;
  const token = jti === undefined ? {} : { jti };
  const purpose = endpointKey !== undefined && { purpose: { endpointKey, details, ...token } };
  return { id: _id.toHexString(), type, time: time.getTime(), address, userAgent, ...purpose };
}
