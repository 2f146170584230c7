import type { Db, Document, UpdateFilter } from 'mongodb';

type Options = {
  collection: string;
  filter: Record<string, unknown>;
  /** The transaction's update. The default is `held: true`. */
  change?: UpdateFilter<Document>;
};
export type HeldDocument = { abort: () => Promise<void>; commit: () => Promise<void> };

/**
 * The tests' MongoDB aborts a transaction after 3 seconds, but a busy machine may need that long for the next line. A server that
 * the user provides keeps its own limit, a minute by default.
 */
const usualSeconds = 3;
const heldSeconds = 60;

/**
 * Blocks all other writes to a document for up to a minute, like an uncommitted transaction that has changed it.
 * @throws Error if the document does not exist
 */
export async function holdDocument(db: Db, options: Options): Promise<HeldDocument> {
  const { collection, filter, change = { $set: { held: true } } } = options;
  const admin = db.client.db('admin');
  const { transactionLifetimeLimitSeconds: limit } = await admin.command({
    getParameter: 1,
    transactionLifetimeLimitSeconds: 1,
  });
  const limitNewTransactions = async (seconds: number): Promise<void> => {
    if (limit === usualSeconds) await admin.command({ setParameter: 1, transactionLifetimeLimitSeconds: seconds });
  };
  const session = db.client.startSession();
  try {
    await limitNewTransactions(heldSeconds);
    session.startTransaction();
    const { matchedCount } = await db.collection(collection).updateOne(filter, change, { session });
    if (matchedCount === 0) throw new Error(`${collection} has no document ${JSON.stringify(filter)}`);
  } catch (error) {
    await session.endSession();
    throw error;
  } finally {
    await limitNewTransactions(usualSeconds);
  }
  return {
    abort: async () => {
      await session.abortTransaction();
      await session.endSession();
    },
    commit: async () => {
      await session.commitTransaction();
      await session.endSession();
    },
  };
}
