import { randomUUID } from 'node:crypto';
import { roles } from '@comanda/contracts/endpoint';
import { problem, Problem } from '@comanda/contracts/problem';
import { prepareOutbox } from '@comanda/shared/messaging/outbox-store';
import { mongoProblem } from '@comanda/shared/mongo/connection';
import { maxCharacters } from '@comanda/shared/mongo/max-characters';
import { retryOnConflict } from '@comanda/shared/mongo/retry-on-conflict';
import { isDuplicate, isTransient, isUnknownCommit } from '@comanda/shared/mongo/transactions';
import type { Session, Transactions } from '@comanda/shared/mongo/transactions';
import { createBatcher } from '@comanda/shared/runtime/batcher';
import type { Outcome } from '@comanda/shared/runtime/batcher';
import mongoose from 'mongoose';
import type { Connection, Model } from 'mongoose';
import { toChangedFields, toNewUserDocument, toUser } from './user-document.ts';
import type { PinDocument, UserDocument } from './user-document.ts';
import { takeUserIds } from './user-id-store.ts';
import { createUser, statuses } from './user.ts';
import type { NewUser, User, UserChange } from './user.ts';

export type UserStore = ReturnType<typeof createUserStore>;
type Options = { connection: Connection; transactions: Pick<Transactions, 'run'> };

/** Not a failure of the database, which concerns every user of a batch. */
const isFaultOfOne = (error: unknown): boolean =>
  !(error instanceof Problem) && mongoProblem(error) === null && !isUnknownCommit(error);

/** How long an insert is repeated while other inserts come first. */
const insertTimeoutMs = 1500;

const shortText = { type: String, ...maxCharacters(255) };
const pinSchema = new mongoose.Schema<PinDocument>(
  {
    id: { type: String, required: true },
    hash: { type: String, required: true },
    pepper_id: { type: String, required: true },
    created_at: { type: Date, required: true },
    blocked_until: { type: Date, default: null },
    blocked_at: { type: Date, default: null },
    failures: { type: Number, required: true },
    wrong: { type: Number, required: true },
    guesses: { type: Number, required: true },
  },
  { _id: false, strict: 'throw' },
);
const userSchema = new mongoose.Schema<UserDocument>(
  {
    usuarioID: { type: Number, required: true },
    nome: { ...shortText, required: true },
    email: { ...shortText, required: true },
    senhaHash: { ...shortText, required: true },
    papel: { type: String, enum: roles, required: true },
    status: { type: String, enum: statuses, required: true },
    must_change_password: { type: Boolean, required: true },
    password_set_by_other: { type: { at: Date, by: Number, replaced_own: Boolean }, default: null, _id: false },
    session_epoch: { type: Number, required: true },
    created_at: { type: Date, required: true },
    pin_version: { type: Number, required: true },
    pin: { type: pinSchema, default: null },
    pin_reset: { type: { expires_at: Date }, default: null, _id: false },
    manager_lock: { type: String, default: null },
    outbox: { type: [Object], default: [] },
  },
  { collection: 'usuarios', versionKey: false, strict: 'throw' },
);
userSchema.index({ usuarioID: 1 }, { unique: true });
userSchema.index({ email: 1 }, { unique: true });

/** The model of `usuarios` on this connection. */
export const userModel = (connection: Connection): Model<UserDocument> =>
  (connection.models['Usuario'] ?? connection.model('Usuario', userSchema)) as unknown as Model<UserDocument>;

/** Creates the indexes of `usuarios`. */
export async function prepareUsers(connection: Connection): Promise<void> {
  const users = userModel(connection);
  await users.createIndexes();
  await prepareOutbox(users.collection);
}

/**
 * Users in `usuarios`. This store inserts the documents and updates all fields except those of the PIN, which the PIN
 * store updates (`pin`, `pin_version`, `pin_reset`, `outbox`). One exception: a manager's change increments `pin_version`
 * here, because one atomic write must end the sessions and void the step-up tokens.
 */
export function createUserStore({ connection, transactions }: Options) {
  const users = userModel(connection);
  const insertions = createBatcher<NewUser, User>({ maxBatch: 100, maxQueue: 1000, run: insertAll, isFaultOfOne });

  async function insertAll(batch: readonly NewUser[]): Promise<Outcome<User>[]> {
    const deadline = performance.now() + insertTimeoutMs;
    // Duplicate: another instance inserted the same id or e-mail after this transaction read. The next attempt sees it.
    const isRetryable = (error: unknown): boolean => isTransient(error) || isDuplicate(error);
    return retryOnConflict({ deadline, isRetryable }, () =>
      transactions.run({ deadline }, async (session) => insertBatch(batch, session)),
    );
  }
  /** Ids and users are written in one transaction, so that a refused user leaves no gap in the ids. */
  async function insertBatch(batch: readonly NewUser[], session: Session): Promise<Outcome<User>[]> {
    const isAccepted = await findAccepted(batch, session);
    const count = isAccepted.filter(Boolean).length;
    const firstId = count === 0 ? 0 : await takeUserIds(connection, { count, session });
    let nextId = firstId;
    const outcomes = batch.map((user, index): Outcome<User> =>
      isAccepted[index] ? { value: createUser(user, nextId++) } : { error: problem('email_taken') },
    );
    const documents = outcomes.flatMap((outcome) => ('value' in outcome ? [toNewUserDocument(outcome.value)] : []));
    if (documents.length > 0) await users.insertMany(documents, { session });
    return outcomes;
  }
  /** For each user of the batch: whether the e-mail address is neither stored nor earlier in the batch. */
  async function findAccepted(batch: readonly NewUser[], session: Session): Promise<boolean[]> {
    const emails = batch.map(({ email }) => email);
    const stored = await users.find({ email: { $in: emails } }, { email: 1 }, { session }).lean();
    const taken = new Set(stored.map(({ email }) => email));
    return batch.map(({ email }) => {
      const isFree = !taken.has(email);
      taken.add(email);
      return isFree;
    });
  }

  return {
    collection: users.collection,
    close: () => insertions.close(),
    /** @throws 409 `email_taken` */
    insert: (user: NewUser): Promise<User> => insertions.submit(user),
    /** Inserts one user in the transaction of the caller. @throws 409 `email_taken` */
    insertInTransaction: async (user: NewUser, session: Session): Promise<User> => {
      try {
        const [outcome] = await insertBatch([user], session);
        if (outcome && 'value' in outcome) return outcome.value;
      } catch (error) {
        // Another instance inserted the e-mail address after this transaction began. Ids are not inserted twice.
        if (!isDuplicate(error)) throw error;
      }
      throw problem('email_taken');
    },
    /**
     * Whether the user is an active manager. If so, the transaction conflicts with every other write to the manager until
     * it is committed: nobody can disable the manager in between.
     */
    lockManager: async (id: number, session: Session): Promise<'active' | 'disabled' | 'other role'> => {
      const change = { $set: { manager_lock: randomUUID() } };
      const document = await users.findOneAndUpdate({ usuarioID: id }, change, { session }).lean();
      if (document?.status !== 'active') return 'disabled';
      return document.papel === 'manager' ? 'active' : 'other role';
    },
    findByEmail: async (email: string): Promise<User | null> => {
      const document = await users.findOne({ email }).lean();
      return document && toUser(document);
    },
    findById: async (id: number, session?: Session): Promise<User | null> => {
      const document = await users.findOne({ usuarioID: id }, null, { ...(session && { session }) }).lean();
      return document && toUser(document);
    },
    /** Newest first. With `before`, only users with smaller ids. */
    list: async ({ before, limit }: { before: number | null; limit: number }): Promise<User[]> => {
      const filter = before === null ? {} : { usuarioID: { $lt: before } };
      const documents = await users.find(filter).sort({ usuarioID: -1 }).limit(limit).lean();
      return documents.map(toUser);
    },
    /**
     * Writes `change` and ends all sessions of the user, in one write. With `ifPasswordHash`, returns null if the stored
     * hash is another: of two concurrent changes one is refused.
     */
    updateAndEndSessions: async (
      id: number,
      change: UserChange,
      { ifPasswordHash }: { ifPasswordHash?: string } = {},
    ): Promise<User | null> => {
      const filter = { usuarioID: id, ...(ifPasswordHash !== undefined && { senhaHash: ifPasswordHash }) };
      const update = { $set: toChangedFields(change), $inc: { session_epoch: 1 } };
      const document = await users.findOneAndUpdate(filter, update, { returnDocument: 'after' }).lean();
      return document && toUser(document);
    },
    /** As `updateAndEndSessions`, and voids the user's step-up tokens: the returned `pinVersion` is the new minimum. */
    updateByManager: async (id: number, change: UserChange, session: Session): Promise<User | null> => {
      const update = { $set: toChangedFields(change), $inc: { session_epoch: 1, pin_version: 1 } };
      const options = { returnDocument: 'after', session } as const;
      const document = await users.findOneAndUpdate({ usuarioID: id }, update, options).lean();
      return document && toUser(document);
    },
  };
}
