import { collectionOf, collectionSchema, embeddedSchema } from '@comanda/shared/mongo/collections';
import { WriteConflict } from '@comanda/shared/mongo/retry-on-conflict';
import type { Connection } from 'mongoose';
import type { OnTablet, Seat, Session } from './session.ts';

type SeatDocument = { table: string; seating: number; token_nonce: string };
type TabletDocument = { id: string; pin_id: string };
type PreviousDocument = { hash: string; rotated_at: Date };
type LastUseDocument = { at: Date; address: string; user_agent: string };
type SessionDocument = {
  _id: string;
  user_id: number;
  epoch: number;
  auth_time: Date;
  /** The guest's seat; null for users. */
  seat: SeatDocument | null;
  /**
   * The seat of a customer with an account; absent or null if the customer has no seat. Older releases do not change this field.
   */
  customer_seat?: SeatDocument | null;
  /** The tablet on which the session started; absent or null for other sessions. */
  tablet?: TabletDocument | null;
  current: string;
  previous: PreviousDocument | null;
  expires_at: Date;
  ends_at: Date;
  last_use: LastUseDocument;
  revoked_at: Date | null;
};
export type SessionStore = ReturnType<typeof createSessionStore>;

const seatSchema = embeddedSchema<SeatDocument>({
  table: { type: String, required: true },
  seating: { type: Number, required: true },
  token_nonce: { type: String, required: true },
});
export const sessionSchema = collectionSchema<SessionDocument>('sessions', {
  _id: { type: String },
  user_id: { type: Number, required: true },
  epoch: { type: Number, required: true },
  auth_time: { type: Date, required: true },
  seat: { type: seatSchema },
  customer_seat: { type: seatSchema },
  tablet: {
    type: embeddedSchema<TabletDocument>({
      id: { type: String, required: true },
      pin_id: { type: String, required: true },
    }),
  },
  current: { type: String, required: true },
  previous: {
    type: embeddedSchema<PreviousDocument>({
      hash: { type: String, required: true },
      rotated_at: { type: Date, required: true },
    }),
  },
  expires_at: { type: Date, required: true },
  ends_at: { type: Date, required: true },
  last_use: {
    type: embeddedSchema<LastUseDocument>({
      at: { type: Date, required: true },
      address: { type: String, required: true },
      user_agent: { type: String, required: true, maxlength: 255 },
    }),
    required: true,
  },
  revoked_at: { type: Date },
})
  .index({ user_id: 1 })
  // MongoDB deletes expired sessions.
  .index({ expires_at: 1 }, { expireAfterSeconds: 0 });

/** The maximum number of sessions in a list. The most recently used ones are listed. */
const maxListed = 100;

export function createSessionStore(connection: Connection) {
  const sessions = collectionOf(connection, sessionSchema);
  return {
    insert: async (session: Session): Promise<void> => {
      await sessions.insertOne(toDocument(session));
    },
    findById: async (id: string): Promise<Session | null> => {
      const document = await sessions.findOne({ _id: id });
      return document && toSession(document);
    },
    findByIds: async (ids: readonly string[]): Promise<ReadonlyMap<string, Session>> => {
      const documents = await sessions.find({ _id: { $in: [...ids] } }).toArray();
      return new Map(documents.map(toSession).map((session) => [session.id, session]));
    },
    /** Returns the user's open sessions in this epoch, most recently used first. */
    listOpen: async ({ userId, epoch, now }: { userId: number; epoch: number; now: number }): Promise<Session[]> => {
      const filter = { user_id: userId, epoch, revoked_at: null, expires_at: { $gt: new Date(now) } };
      const documents = await sessions.find(filter).sort({ 'last_use.at': -1 }).limit(maxListed).toArray();
      return documents.map(toSession);
    },
    /**
     * Replaces the session's refresh token.
     * @throws WriteConflict if `seen` is outdated because the token was replaced or the session was revoked
     */
    replaceToken: async (seen: Session, next: NextToken): Promise<void> => {
      const { matchedCount } = await sessions.updateOne(
        { _id: seen.id, current: seen.current, revoked_at: null },
        {
          $set: {
            current: next.current,
            previous: toPreviousDocument(next.previous),
            expires_at: new Date(next.expiresAt),
            last_use: toLastUseDocument(next.lastUse),
            ...(!seen.guest && { customer_seat: toSeatDocument(next.seat) }),
          },
        },
      );
      if (matchedCount === 0) throw new WriteConflict();
    },
    /** Revokes a session. Returns true only for the call that revoked it. */
    revoke: async (id: string, now: number): Promise<boolean> => {
      const { modifiedCount } = await sessions.updateOne(
        { _id: id, revoked_at: null },
        { $set: { revoked_at: new Date(now) } },
      );
      return modifiedCount === 1;
    },
    /** Revokes one of this user's sessions. `over`: the session was already revoked. */
    revokeOf: async (
      userId: number,
      { id, now }: { id: string; now: number },
    ): Promise<'ended' | 'over' | 'unknown'> => {
      const own = { _id: id, user_id: userId };
      const { modifiedCount } = await sessions.updateOne(
        { ...own, revoked_at: null },
        { $set: { revoked_at: new Date(now) } },
      );
      if (modifiedCount === 1) return 'ended';
      return (await sessions.findOne(own)) ? 'over' : 'unknown';
    },
    /** Moves one session to a new epoch, so that it survives when the user's other sessions end. */
    updateEpoch: async (id: string, { userId, from, to }: { userId: number; from: number; to: number }) => {
      await sessions.updateOne({ _id: id, user_id: userId, epoch: from }, { $set: { epoch: to } });
    },
  };
}

type NextToken = Pick<Session, 'seat' | 'current' | 'previous' | 'expiresAt' | 'lastUse'>;

const toLastUseDocument = ({ at, address, userAgent }: Session['lastUse']): LastUseDocument => ({
  at: new Date(at),
  address,
  user_agent: userAgent,
});
const toDate = (time: number | null): Date | null => (time === null ? null : new Date(time));
const toPreviousDocument = (previous: Session['previous']): PreviousDocument | null =>
  previous && { hash: previous.hash, rotated_at: new Date(previous.rotatedAt) };

const toSeatDocument = (seat: Seat | null): SeatDocument | null =>
  seat && { table: seat.table, seating: seat.seating, token_nonce: seat.tokenNonce };
const toSeat = (seat: SeatDocument | null | undefined): Seat | null =>
  seat ? { table: seat.table, seating: seat.seating, tokenNonce: seat.token_nonce } : null;

const toTabletDocument = ({ id, pinId }: OnTablet): TabletDocument => ({ id, pin_id: pinId });
const toOnTablet = (tablet: TabletDocument | null | undefined): OnTablet | null =>
  tablet ? { id: tablet.id, pinId: tablet.pin_id } : null;

const toDocument = ({ id, guest, seat, tablet, ...session }: Session): SessionDocument => ({
  _id: id,
  user_id: session.userId,
  epoch: session.epoch,
  auth_time: new Date(session.authTime),
  seat: guest ? toSeatDocument(seat) : null,
  ...(!guest && seat && { customer_seat: toSeatDocument(seat) }),
  ...(tablet && { tablet: toTabletDocument(tablet) }),
  current: session.current,
  previous: toPreviousDocument(session.previous),
  expires_at: new Date(session.expiresAt),
  ends_at: new Date(session.endsAt),
  last_use: toLastUseDocument(session.lastUse),
  revoked_at: toDate(session.revokedAt),
});

const toSession = ({
  _id: id,
  seat,
  customer_seat: customerSeat,
  previous,
  ...document
}: SessionDocument): Session => ({
  id,
  userId: document.user_id,
  epoch: document.epoch,
  authTime: document.auth_time.getTime(),
  guest: seat !== null,
  seat: toSeat(seat ?? customerSeat),
  tablet: toOnTablet(document.tablet),
  current: document.current,
  previous: previous && { hash: previous.hash, rotatedAt: previous.rotated_at.getTime() },
  expiresAt: document.expires_at.getTime(),
  endsAt: document.ends_at.getTime(),
  lastUse: {
    at: document.last_use.at.getTime(),
    address: document.last_use.address,
    userAgent: document.last_use.user_agent,
  },
  revokedAt: document.revoked_at?.getTime() ?? null,
});
