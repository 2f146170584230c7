import type { Role } from '@comanda/shared/contracts/endpoint';
import { problem } from '@comanda/shared/contracts/problems';
import { createBatcher } from '@comanda/shared/runtime/batcher';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import mongoose from 'mongoose';
import type { ClientSession, Connection } from 'mongoose';
import type { NewUser, Status, User } from './user.ts';

/** `usuarios`, as the specification names its fields; what it does not name is in English. */
type UserDocument = {
  usuarioID: number;
  nome: string;
  email: string | null;
  senhaHash: string | null;
  papel: Role;
  status: Status;
  mustChangePassword: boolean;
  passwordSetByOtherAt: Date | null;
  sessionEpoch: number;
  createdAt: Date;
};
const short = { type: String, maxlength: 255 } as const;
const userSchema = new mongoose.Schema<UserDocument>(
  {
    usuarioID: { type: Number, required: true },
    nome: { ...short, required: true },
    email: { ...short, default: null },
    senhaHash: { ...short, default: null },
    papel: { type: String, enum: ['customer', 'waiter', 'manager'], required: true },
    status: { type: String, enum: ['active', 'disabled'], required: true },
    mustChangePassword: { type: Boolean, required: true },
    passwordSetByOtherAt: { type: Date, default: null },
    sessionEpoch: { type: Number, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'usuarios', versionKey: false, strict: 'throw' },
);
userSchema.index({ usuarioID: 1 }, { unique: true });
// Guests have none.
userSchema.index({ email: 1 }, { unique: true, partialFilterExpression: { email: { $type: 'string' } } });

const isDuplicate = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError && error.code === 11000;

export type UserStore = ReturnType<typeof createUserStore>;
/** What a write sets; `endSessions` begins a new epoch. */
export type UserChange = Partial<Pick<User, 'role' | 'status' | 'passwordHash' | 'mustChangePassword'>> & {
  passwordSetByOtherAt?: number;
};

export function createUserStore(connection: Connection) {
  const users = connection.model('User', userSchema);
  const counters = connection.collection<{ _id: string; value: number }>('counters');

  const insertions = createBatcher<NewUser, User>({
    maxBatch: 100,
    maxQueue: 1000,
    run: async (batch) => {
      for (let attempt = 1; ; attempt++) {
        try {
          // oxlint-disable-next-line no-await-in-loop -- again only after a failure
          return await connection.transaction((session) => insertBatch(batch, session));
        } catch (error) {
          // Another instance took an e-mail since it was looked for: the next try sees it.
          if (!isDuplicate(error) || attempt === 5) throw error;
        }
      }
    },
  });
  /** Ids and users in one transaction, so that ids are dense: one that is refused takes none. */
  async function insertBatch(batch: readonly NewUser[], session: ClientSession): Promise<Outcome<User>[]> {
    const emails = batch.flatMap(({ email }) => email ?? []);
    const found = await users.find({ email: { $in: emails } }, { email: 1 }, { session }).lean();
    const taken = new Set(found.map(({ email }) => email));
    const accepted = batch.map(({ email }) => {
      if (email === null) return true;
      const free = !taken.has(email);
      taken.add(email);
      return free;
    });
    const count = accepted.filter(Boolean).length;
    let id = count === 0 ? 0 : await takeIds(count, session);
    const outcomes = batch.map((user, index): Outcome<User> => {
      if (!accepted[index]) return { error: problem('email_taken') };
      return {
        value: { ...user, id: id++, status: 'active', passwordSetByOtherAt: setByOther(user), sessionEpoch: 1 },
      };
    });
    const documents = outcomes.flatMap((outcome) => ('value' in outcome ? [toDocument(outcome.value)] : []));
    if (documents.length > 0) await users.insertMany(documents, { session, ordered: true });
    return outcomes;
  }
  /** The first of `count` ids that follow one another. */
  async function takeIds(count: number, session: ClientSession): Promise<number> {
    const counter = await counters.findOneAndUpdate(
      { _id: 'usuarioID' },
      { $inc: { value: count } },
      { upsert: true, returnDocument: 'after', session },
    );
    return (counter?.value ?? count) - count + 1;
  }

  return {
    prepare: async (): Promise<void> => {
      await users.createIndexes();
    },
    close: () => insertions.close(),
    /** @throws 409 `email_taken` */
    insert: (user: NewUser): Promise<User> => insertions.submit(user),
    byEmail: async (email: string): Promise<User | null> => toUser(await users.findOne({ email }).lean()),
    byId: async (id: number): Promise<User | null> => toUser(await users.findOne({ usuarioID: id }).lean()),
    /** Newest first, those with smaller ids than `before`. */
    list: async ({ before, limit }: { before: number | null; limit: number }): Promise<User[]> => {
      const found = await users
        .find(before === null ? {} : { usuarioID: { $lt: before } })
        .sort({ usuarioID: -1 })
        .limit(limit)
        .lean();
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
      const { role, status, passwordHash, mustChangePassword, passwordSetByOtherAt } = change;
      const set: Partial<UserDocument> = {
        ...(role !== undefined && { papel: role }),
        ...(status !== undefined && { status }),
        ...(passwordHash !== undefined && { senhaHash: passwordHash }),
        ...(mustChangePassword !== undefined && { mustChangePassword }),
        ...(passwordSetByOtherAt !== undefined && { passwordSetByOtherAt: new Date(passwordSetByOtherAt) }),
      };
      const filter = { usuarioID: id, ...(ifPasswordHash !== undefined && { senhaHash: ifPasswordHash }) };
      const update = { $set: set, $inc: { sessionEpoch: 1 } };
      return toUser(await users.findOneAndUpdate(filter, update, { returnDocument: 'after' }).lean());
    },
  };
}

const setByOther = (user: NewUser): number | null => (user.mustChangePassword ? user.createdAt : null);

const toDocument = (user: User): UserDocument => ({
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
});
const fromDocument = (document: UserDocument): User => ({
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
});
const toUser = (document: UserDocument | null): User | null => document && fromDocument(document);
