import type { Connection } from 'mongoose';
import type { Session } from './session.ts';

type SessionDocument = Omit<Session, 'id' | 'expiresAt' | 'revokedAt' | 'previous' | 'authTime' | 'endsAt'> & {
  _id: string;
  authTime: Date;
  expiresAt: Date;
  endsAt: Date | null;
  revokedAt: Date | null;
  previous: { hash: string; rotatedAt: Date } | null;
};
export type SessionStore = ReturnType<typeof createSessionStore>;

/** Sessions in `sessions`; MongoDB removes what has expired. */
export function createSessionStore(connection: Connection) {
  const sessions = connection.collection<SessionDocument>('sessions');
  return {
    prepare: async (): Promise<void> => {
      await sessions.createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
    },
    insert: async (session: Session): Promise<void> => {
      await sessions.insertOne(toDocument(session));
    },
    byId: async (id: string): Promise<Session | null> => {
      const document = await sessions.findOne({ _id: id });
      return document && fromDocument(document);
    },
    /** False when the current token is another by now: somebody else was first. */
    replaceToken: async (
      seen: Session,
      next: Pick<Session, 'current' | 'previous' | 'expiresAt'>,
    ): Promise<boolean> => {
      const { previous } = next;
      const { matchedCount } = await sessions.updateOne(
        { _id: seen.id, current: seen.current, revokedAt: null },
        {
          $set: {
            current: next.current,
            previous: previous && { hash: previous.hash, rotatedAt: new Date(previous.rotatedAt) },
            expiresAt: new Date(next.expiresAt),
          },
        },
      );
      return matchedCount === 1;
    },
    /** True for the one call that ended it. */
    revoke: async (id: string, now: number): Promise<boolean> => {
      const { modifiedCount } = await sessions.updateOne(
        { _id: id, revokedAt: null },
        { $set: { revokedAt: new Date(now) } },
      );
      return modifiedCount === 1;
    },
    /** Carries one session over to the epoch in which all others have ended. */
    keepThrough: async (id: string, { userId, from, to }: { userId: number; from: number; to: number }) => {
      await sessions.updateOne({ _id: id, userId, epoch: from }, { $set: { epoch: to } });
    },
  };
}

const toDocument = ({ id, ...session }: Session): SessionDocument => ({
  ...session,
  _id: id,
  authTime: new Date(session.authTime),
  expiresAt: new Date(session.expiresAt),
  endsAt: session.endsAt === null ? null : new Date(session.endsAt),
  revokedAt: null,
  previous: null,
});
const fromDocument = ({ _id, ...document }: SessionDocument): Session => ({
  ...document,
  id: _id,
  authTime: document.authTime.getTime(),
  expiresAt: document.expiresAt.getTime(),
  endsAt: document.endsAt?.getTime() ?? null,
  revokedAt: document.revokedAt?.getTime() ?? null,
  previous: document.previous && { hash: document.previous.hash, rotatedAt: document.previous.rotatedAt.getTime() },
});
