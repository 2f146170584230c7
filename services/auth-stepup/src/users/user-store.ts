import { normalEmail } from '@comanda/contracts/email-address';
import { randomUUID } from 'node:crypto';
import { problem, Problem } from '@comanda/contracts/problem';
import type { Message } from '@comanda/shared/messaging/publisher';
import { collectionOf } from '@comanda/shared/mongo/collections';
import { mongoProblem } from '@comanda/shared/mongo/connection';
import {
  isDuplicate,
  isTransient,
  isUnknownCommit,
  type Session,
  type Transactions,
} from '@comanda/shared/mongo/transactions';
import { createUnitOfWork } from '@comanda/shared/service/unit-of-work';
import { createBatcher, type Outcome } from '@comanda/shared/runtime/batcher';
import type { Connection, mongo } from 'mongoose';
import { takeNumbers } from '../ids/counter-store.ts';
import { toChangedFields, toNewUserDocument, toUser, userSchema } from './user-document.ts';
import { createUser, type NewUser, type User, type UserChange } from './user.ts';

export type UserStore = ReturnType<typeof createUserStore>;
type Options = { connection: Connection; transactions: Pick<Transactions, 'run'> };

/** Returns true if an error affects only one user in a batch. A database failure affects all of them. */
const isFaultOfOne = (error: unknown): boolean =>
  !(error instanceof Problem) && mongoProblem(error) === null && !isUnknownCommit(error);

/** How long an insertion is retried while it conflicts with other insertions, in milliseconds. */
const insertTimeoutMs = 1500;

/**
 * Creates the store for users in `usuarios`. This store inserts the documents and updates all fields except `tablet_pin` and the
 * PIN's fields (`pin`, `pin_version`, `pin_reset`, `outbox`), which their own stores update. Three exceptions: a manager's change
 * increments `pin_version` here, because one atomic write must end the sessions and void the step-up tokens; a password set by a
 * manager removes `tablet_pin`; and `addEvents` adds to `outbox`.
 */
export function createUserStore({ connection, transactions }: Options) {
  const users = collectionOf(connection, userSchema);
  const unitOfWork = createUnitOfWork({
    transactions,
    timeLimitMs: insertTimeoutMs,
    records: null,
    outboxes: {},
    // A duplicate can be retried: another instance inserted the same id or address after this transaction's read. The next
    // attempt sees that document.
    isRetryable: (error) => isTransient(error) || isDuplicate(error),
  });
  const insertAll = (batch: readonly NewUser[]): Promise<Outcome<User>[]> =>
    unitOfWork.run(async (session) => ({ value: await insertBatch(batch, session), records: [], events: [] }));
  const insertions = createBatcher<NewUser, User>({ maxBatch: 100, maxQueue: 1000, run: insertAll, isFaultOfOne });

  /** Inserts a batch of users in one transaction with their ids, so that a rejected user leaves no gap in the ids. */
  async function insertBatch(batch: readonly NewUser[], session: Session): Promise<Outcome<User>[]> {
    const isAccepted = await findAccepted(batch, session);
    const count = isAccepted.filter(Boolean).length;
    const firstId = count === 0 ? 0 : await takeNumbers(connection, { of: 'usuarioID', count, session });
    let nextId = firstId;
    const outcomes = batch.map((user, index): Outcome<User> =>
      isAccepted[index] ? { value: createUser(user, nextId++) } : { error: problem('email_taken') },
    );
    const documents = outcomes.flatMap((outcome) => ('value' in outcome ? [toNewUserDocument(outcome.value)] : []));
    if (documents.length > 0) await users.insertMany(documents, { session });
    return outcomes;
  }
  /** Returns, for each user, true if the e-mail address is neither stored nor used earlier in the batch. */
  async function findAccepted(batch: readonly NewUser[], session: Session): Promise<boolean[]> {
    const emails = batch.map(({ email }) => email);
    const stored = await users.find({ email: { $in: emails } }, { projection: { email: 1 }, session }).toArray();
    const taken = new Set(stored.map(({ email }) => email));
    return batch.map(({ email }) => {
      const isFree = !taken.has(email);
      taken.add(email);
      return isFree;
    });
  }

  return {
    /** The raw collection, for publishing the outbox. */
    collection: users as unknown as mongo.Collection,
    close: () => insertions.close(),
    /** Inserts a user. @throws 409 `email_taken` */
    insert: (user: NewUser): Promise<User> => insertions.submit(user),
    /** Inserts one user in the caller's transaction. @throws 409 `email_taken` */
    insertInTransaction: async (user: NewUser, session: Session): Promise<User> => {
      try {
        const [outcome] = await insertBatch([user], session);
        if (outcome && 'value' in outcome) return outcome.value;
      } catch (error) {
        // Another instance inserted the address after this transaction started. The duplicate cannot be the id, because ids are
        // unique.
        if (!isDuplicate(error)) throw error;
      }
      throw problem('email_taken');
    },
    /**
     * Locks an active manager. Until the transaction commits, every other write to that manager conflicts with the lock, so the
     * manager cannot be disabled in between.
     */
    lockManager: async (id: number, session: Session): Promise<'active' | 'disabled' | 'other role'> => {
      const change = { $set: { manager_lock: randomUUID() } };
      const document = await users.findOneAndUpdate({ usuarioID: id }, change, { session });
      if (document?.status !== 'active') return 'disabled';
      return document.papel === 'manager' ? 'active' : 'other role';
    },
    /** Returns true if there is a manager, even a disabled one. */
    hasManager: async (session?: Session): Promise<boolean> => {
      const options = { projection: { _id: 1 }, ...(session && { session }) };
      return (await users.findOne({ papel: 'manager' }, options)) !== null;
    },
    /** Adds events to this user's outbox. */
    addEvents: async (id: number, events: readonly Message[], session: Session): Promise<void> => {
      if (events.length === 0) return;
      await users.updateOne({ usuarioID: id }, { $push: { outbox: { $each: [...events] } } }, { session });
    },
    countWrongPassword: async (id: number): Promise<void> => {
      await users.updateOne({ usuarioID: id }, { $inc: { wrong_passwords: 1 } });
    },
    forgetWrongPasswords: async (id: number): Promise<void> => {
      await users.updateOne({ usuarioID: id }, { $set: { wrong_passwords: 0 } });
    },
    /**
     * Finds a user by an address as the user typed it. Release 1.0.0 stored addresses only in lower case, so that form is tried
     * first.
     */
    findByEmail: async (typed: string): Promise<User | null> => {
      const asStoredBefore = typed.trim().toLowerCase();
      const found = await users.find({ email: { $in: [asStoredBefore, normalEmail(typed)] } }).toArray();
      const document = found.find(({ email }) => email === asStoredBefore) ?? found[0];
      return document ? toUser(document) : null;
    },
    /** Returns all e-mail addresses, for the command `find-twins`. */
    findEmails: async (): Promise<string[]> => users.distinct('email'),
    findById: async (id: number, session?: Session): Promise<User | null> => {
      const document = await users.findOne({ usuarioID: id }, { ...(session && { session }) });
      return document && toUser(document);
    },
    findByIds: async (ids: readonly number[]): Promise<ReadonlyMap<number, User>> => {
      const documents = await users.find({ usuarioID: { $in: [...ids] } }).toArray();
      return new Map(documents.map(toUser).map((user) => [user.id, user]));
    },
    /** Returns users, newest first. With `before`, returns only users with smaller ids. */
    list: async ({ before, limit }: { before: number | null; limit: number }): Promise<User[]> => {
      const filter = before === null ? {} : { usuarioID: { $lt: before } };
      const documents = await users.find(filter).sort({ usuarioID: -1 }).limit(limit).toArray();
      return documents.map(toUser);
    },
    /**
     * Writes `change` and ends all of the user's sessions, atomically. With `ifPasswordHash`, returns null if the stored hash
     * differs, so only one of two concurrent changes succeeds.
     */
    updateAndEndSessions: async (
      id: number,
      change: UserChange,
      { ifPasswordHash }: { ifPasswordHash?: string } = {},
    ): Promise<User | null> => {
      const filter = { usuarioID: id, ...(ifPasswordHash !== undefined && { senhaHash: ifPasswordHash }) };
      const update = { $set: toChangedFields(change), $inc: { session_epoch: 1 } };
      const document = await users.findOneAndUpdate(filter, update, { returnDocument: 'after' });
      return document && toUser(document);
    },
    /**
     * Changes an invited user who has not accepted yet. With `ifHash`, the change happens only if the link has that hash.
     * Otherwise returns null, so only one of two concurrent changes succeeds.
     */
    updateInvited: async (
      { id, ifHash, change }: { id: number; ifHash?: string; change: UserChange },
      session: Session,
    ): Promise<User | null> => {
      const invited =
        ifHash === undefined ? { invitation: { $type: 'object' as const } } : { 'invitation.hash': ifHash };
      const document = await users.findOneAndUpdate(
        { usuarioID: id, status: 'disabled', ...invited },
        { $set: toChangedFields(change) },
        { returnDocument: 'after', session },
      );
      return document && toUser(document);
    },
    /**
     * Works like `updateAndEndSessions`, and also voids the user's step-up tokens: the returned `pinVersion` is the new minimum.
     */
    updateByManager: async (id: number, change: UserChange, session: Session): Promise<User | null> => {
      const update = { $set: toChangedFields(change), $inc: { session_epoch: 1, pin_version: 1 } };
      const options = { returnDocument: 'after', session } as const;
      const document = await users.findOneAndUpdate({ usuarioID: id }, update, options);
      return document && toUser(document);
    },
  };
}
