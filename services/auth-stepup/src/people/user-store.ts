import { problem } from '@comanda/contracts/problems';
import { prepareOutbox } from '@comanda/shared/messaging/outbox-store';
import { isDuplicate } from '@comanda/shared/mongo/transactions';
import type { Session, Transactions } from '@comanda/shared/mongo/transactions';
import { createBatcher } from '@comanda/shared/runtime/batcher';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import type { Connection } from 'mongoose';
import { runUntilThrough } from '../repeated-transaction-store.ts';
import type { NewUser, User } from './user.ts';
import { usuariosOf } from './usuarios-store.ts';
import type { UsuarioDocument } from './usuarios-store.ts';

export type UserStore = ReturnType<typeof createUserStore>;
/** What a write sets. */
export type UserChange = Partial<Pick<User, 'role' | 'status' | 'passwordHash' | 'mustChangePassword'>> & {
  passwordSetByOtherAt?: number;
};
type Options = { connection: Connection; transactions: Pick<Transactions, 'run'> };

export function createUserStore({ connection, transactions }: Options) {
  const users = usuariosOf(connection);
  const counters = connection.collection<{ _id: string; value: number }>('counters');
  const insertions = createBatcher<NewUser, User>({ maxBatch: 100, maxQueue: 1000, run: insertAll });

  async function insertAll(batch: readonly NewUser[]): Promise<Outcome<User>[]> {
    let outcomes: Outcome<User>[] = [];
    await runUntilThrough(transactions, {
      write: async (session) => {
        outcomes = await insertBatch(batch, session);
        return outcomes.some((outcome) => 'value' in outcome);
      },
      // Another instance took an id or an e-mail meanwhile: the next try sees it.
      orAfter: isDuplicate,
    });
    return outcomes;
  }
  /** Ids and users in one transaction, so that ids are dense: one that is refused takes none. */
  async function insertBatch(batch: readonly NewUser[], session: Session): Promise<Outcome<User>[]> {
    const emails = batch.flatMap(({ email }) => email ?? []);
    const found = await users.find({ email: { $in: emails } }, { email: 1 }, { session }).lean();
    const taken = new Set<string | null>(found.map(({ email }) => email));
    const accepted = batch.map(({ email }) => {
      const free = email === null || !taken.has(email);
      if (email !== null) taken.add(email);
      return free;
    });
    let id = await takeIds(accepted.filter(Boolean).length, session);
    const outcomes = batch.map((user, index): Outcome<User> => {
      if (!accepted[index]) return { error: problem('email_taken') };
      return { value: begin(user, id++) };
    });
    const documents = outcomes.flatMap((outcome) => ('value' in outcome ? [toDocument(outcome.value)] : []));
    if (documents.length > 0) await users.insertMany(documents, { session });
    return outcomes;
  }
  /** The first of `count` ids that follow one another. */
  async function takeIds(count: number, session: Session): Promise<number> {
    if (count === 0) return 0;
    const counter = await counters.findOneAndUpdate(
      { _id: 'usuarioID' },
      { $inc: { value: count } },
      { upsert: true, returnDocument: 'after', session },
    );
    return (counter?.value ?? count) - count + 1;
  }

  return {
    collection: users.collection,
    prepare: async (): Promise<void> => {
      await users.createIndexes();
      await prepareOutbox(users.collection);
    },
    close: () => insertions.close(),
    /** @throws 409 `email_taken` */
    insert: (user: NewUser): Promise<User> => insertions.submit(user),
    byEmail: async (email: string): Promise<User | null> => toUser(await users.findOne({ email }).lean()),
    byId: async (id: number): Promise<User | null> => toUser(await users.findOne({ usuarioID: id }).lean()),
    /** Newest first, those with smaller ids than `before`. */
    list: async ({ before, limit }: { before: number | null; limit: number }): Promise<User[]> => {
      const scope = before === null ? {} : { usuarioID: { $lt: before } };
      const found = await users.find(scope).sort({ usuarioID: -1 }).limit(limit).lean();
      return found.map(fromDocument);
    },
    /**
     * Writes `change` and ends every session, in one write. With `ifPasswordHash` only while that is the hash, else null:
     * of two changes at once one is refused.
     */
    changeAndEndSessions: async (
      id: number,
      change: UserChange,
      { ifPasswordHash }: { ifPasswordHash?: string } = {},
    ): Promise<User | null> => {
      const filter = { usuarioID: id, ...(ifPasswordHash !== undefined && { senhaHash: ifPasswordHash }) };
      const update = { $set: toFields(change), $inc: { sessionEpoch: 1 } };
      return toUser(await users.findOneAndUpdate(filter, update, { returnDocument: 'after' }).lean());
    },
    /** The same by somebody else: what the user consented to before is void as well, from `pinVersion` on. */
    changeByManager: async (id: number, change: UserChange): Promise<User | null> => {
      const update = { $set: toFields(change), $inc: { sessionEpoch: 1, pinVersion: 1 } };
      return toUser(await users.findOneAndUpdate({ usuarioID: id }, update, { returnDocument: 'after' }).lean());
    },
  };
}

/** A user whom somebody else has given a password knows it from them. */
const begin = (user: NewUser, id: number): User => ({
  ...user,
  id,
  status: 'active',
  passwordSetByOtherAt: user.mustChangePassword ? user.createdAt : null,
  sessionEpoch: 1,
  pinVersion: 0,
});

const toFields = (change: UserChange): Partial<UsuarioDocument> => {
  const { role, status, passwordHash, mustChangePassword, passwordSetByOtherAt } = change;
  return {
    ...(role !== undefined && { papel: role }),
    ...(status !== undefined && { status }),
    ...(passwordHash !== undefined && { senhaHash: passwordHash }),
    ...(mustChangePassword !== undefined && { mustChangePassword }),
    ...(passwordSetByOtherAt !== undefined && { passwordSetByOtherAt: new Date(passwordSetByOtherAt) }),
  };
};
const toDocument = (user: User): UsuarioDocument => ({
  usuarioID: user.id,
  nome: user.name,
  email: user.email,
  senhaHash: user.passwordHash,
  papel: user.role,
  status: user.status,
  mustChangePassword: user.mustChangePassword,
  passwordSetByOtherAt: user.passwordSetByOtherAt === null ? null : new Date(user.passwordSetByOtherAt),
  sessionEpoch: user.sessionEpoch,
  createdAt: new Date(user.createdAt),
  pinVersion: user.pinVersion,
  pin: null,
  pinReset: null,
  outbox: [],
});
const fromDocument = (document: UsuarioDocument): User => ({
  id: document.usuarioID,
  name: document.nome,
  email: document.email,
  passwordHash: document.senhaHash,
  role: document.papel,
  status: document.status,
  mustChangePassword: document.mustChangePassword,
  passwordSetByOtherAt: document.passwordSetByOtherAt?.getTime() ?? null,
  sessionEpoch: document.sessionEpoch,
  createdAt: document.createdAt.getTime(),
  pinVersion: document.pinVersion,
});
const toUser = (document: UsuarioDocument | null): User | null => document && fromDocument(document);
