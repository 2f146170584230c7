import type { Db, Document, UpdateFilter } from 'mongodb';

type Options = {
  collection: string;
  filter: Record<string, unknown>;
  /** The update in the transaction. The default is `held: true`. */
  change?: UpdateFilter<Document>;
};
export type HeldDocument = { abort: () => Promise<void>; commit: () => Promise<void> };

/**
 * The usual time limit for transactions, in seconds. The tests' MongoDB aborts a transaction after this time, but a busy machine
 * may need as long to reach the test's next line. A server that the user provides has its own limit, by default a minute.
 */
const usualSeconds = 3;
const heldSeconds = 60;

/**
 * Blocks all other writes to a document for up to a minute, as an uncommitted transaction that has changed the document would.
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
