import mongoose, { type Connection, type mongo } from 'mongoose';
import { newerRelease } from '@comanda/shared/mongo/prepare-database';

/** A document as it is stored. It may be the result of tampering, so its fields can have any type. */
export type RawDocument = Record<string, unknown>;
/** An element of a list in a document, such as an entry of a transfer. `hasConsent`: true if the document has an authorization. */
export type RawElement = { documentId: unknown; element: unknown; hasConsent: boolean };
/** An index, with only the fields that a check needs. */
export type FoundIndex = { key: object; unique?: boolean; partialFilterExpression?: object };
export type LedgerReader = ReturnType<typeof createLedgerReaderStore>;

/** Returns true if the error is MongoDB's response to a request that it can't carry out. */
export const isRefusal = (error: unknown): error is Error => error instanceof mongoose.mongo.MongoServerError;

/** Makes the driver return 64-bit integers as `bigint`. By default, it returns floats. */
const exact = { useBigInt64: true } as const;
const exactOnDisk = { ...exact, allowDiskUse: true } as const;

const unwound = (list: string, { filter, sort }: { filter: object; sort: readonly string[] }) => [
  { $match: filter },
  { $project: { element: `$${list}`, hasConsent: { $eq: [{ $type: '$consent' }, 'string'] } } },
  { $unwind: '$element' },
  { $sort: { ...Object.fromEntries(sort.map((name) => [`element.${name}`, 1])), _id: 1 } },
];

/**
 * Creates a reader for a ledger of any size. It needs little memory: MongoDB sorts the documents, on its disk if necessary. It
 * never writes.
 */
export function createLedgerReaderStore(connection: Connection) {
  const collectionOf = (name: string) => connection.collection(name) as unknown as mongo.Collection<RawDocument>;
  const counters = connection.collection('counters') as unknown as mongo.Collection<{ _id: string; value: unknown }>;
  const [rows, accounts, checkpoints] = [
    collectionOf('transfers'),
    collectionOf('accounts'),
    collectionOf('checkpoints'),
  ];
  const collections = { transfers: rows, accounts };

  async function* readElements(
    collection: mongo.Collection<RawDocument>,
    stages: mongo.Document[],
  ): AsyncGenerator<RawElement> {
    for await (const { _id: documentId, element, hasConsent } of collection.aggregate<RawDocument>(stages, exactOnDisk))
      yield { documentId, element, hasConsent: hasConsent === true };
  }
  const entryOrder = ['account', 'seq'];
  return {
    /** If a release newer than `version` has prepared the database, returns that release's version; otherwise null. */
    findNewerRelease: (version: string): Promise<string | null> => newerRelease(connection, version),
    /** Returns the number of documents in each collection, as MongoDB estimates it. */
    getSize: async () => ({
      transfers: await rows.estimatedDocumentCount(),
      accounts: await accounts.estimatedDocumentCount(),
      checkpoints: await checkpoints.estimatedDocumentCount(),
    }),
    findRows: (): AsyncIterable<RawDocument> => rows.find({}, exact).sort({ _id: 1 }),
    /** Returns the rows without entries (rejected requests and expired tokens), sorted by id. */
    findDecisions: (): AsyncIterable<RawDocument> =>
      rows.find({ status: { $ne: 'posted' } }, { ...exact, projection: { statement: 1, written: 1 } }).sort({ _id: 1 }),
    /** Returns all transfers' entries, sorted by account, then by `seq`. */
    findEntries: () => readElements(rows, unwound('entries', { filter: { status: 'posted' }, sort: entryOrder })),
    /** Returns both entries of each transfer that has an entry of this account above `seq`, sorted by `seq`. */
    findEntriesAbove: (accountId: number, seq: number) => {
      const filter = { status: 'posted', entries: { $elemMatch: { account: accountId, seq: { $gt: seq } } } };
      return readElements(rows, unwound('entries', { filter, sort: ['seq'] }));
    },
    findStatements: (ids: readonly number[]): AsyncIterable<RawDocument> =>
      accounts.find({ _id: { $in: ids as never } }, { projection: { statement: 1 } }),
    /** Returns the rows of transfers that paid these bill payments. */
    findBillPayments: (paymentIds: readonly number[]): AsyncIterable<RawDocument> =>
      rows.find({ kind: 'bill_payment', payment_id: { $in: paymentIds } }, exact),
    findAccounts: (): AsyncIterable<RawDocument> => accounts.find({}, exact).sort({ _id: 1 }),
    findCheckpoints: (): AsyncIterable<RawDocument> => checkpoints.find({}, exact).sort({ _id: 1 }),
    findCheckpointsOldestFirst: (): AsyncIterable<RawDocument> =>
      checkpoints.find({}, { ...exact, projection: { jws: 1 } }).sort({ _id: 1 }),
    findCheckpointsNewestFirst: (): AsyncIterable<RawDocument> =>
      checkpoints.find({}, { ...exact, projection: { jws: 1 } }).sort({ _id: -1 }),
    /**
     * Returns the signed heads of all accounts, sorted by account, then by `seq`. A head is an account's newest entry in a
     * checkpoint.
     */
    findSignedHeads: () => readElements(checkpoints, unwound('heads', { filter: {}, sort: entryOrder })),
    /** Returns the rejected and expired rows that checkpoints have signed, sorted by id. */
    findSignedDecisions: () => readElements(checkpoints, unwound('decisions', { filter: {}, sort: ['id'] })),
    /** Finds rows with equal values in all fields in `names`. A unique index should prevent such rows. */
    findDuplicates: async function* (names: readonly string[]): AsyncGenerator {
      const present = Object.fromEntries(names.map((name) => [name, { $exists: true }]));
      const order = Object.fromEntries(names.map((name) => [name, 1 as const]));
      const found = rows.find(present, { ...exact, projection: order, allowDiskUse: true }).sort({ ...order, _id: 1 });
      let previous = '';
      for await (const document of found) {
        const value = names.map((name) => String(document[name])).join(' ');
        if (value === previous) yield document['_id'];
        previous = value;
      }
    },
    findIndexes: async (name: string): Promise<FoundIndex[]> => {
      const found = await collectionOf(name).listIndexes().toArray();
      return found
        .filter((index) => index['name'] !== '_id_')
        .map(({ v: _v, name: _name, ...rest }) => rest as FoundIndex);
    },
    /**
     * Returns the type of the collection with this name, such as `view`, and its options: validation rules and storage settings.
     * The type is null if there is no such collection.
     */
    findCollection: async (name: string): Promise<{ type: string | null; options: RawDocument }> => {
      const [found] = (await connection.db?.listCollections<mongo.CollectionInfo>({ name }).toArray()) ?? [];
      return { type: found?.type ?? null, options: found?.options ?? {} };
    },
    /** Returns the highest assigned id, and the value of the counter that assigns the next ids. */
    getIds: async (name: 'transfers' | 'accounts', counter: string): Promise<{ highest: number; counted: unknown }> => {
      const [newest] = await collections[name]
        .find({ $expr: { $isNumber: '$_id' } })
        .sort({ _id: -1 })
        .limit(1)
        .toArray();
      const found = await counters.findOne({ _id: counter });
      return { highest: Number(newest?.['_id'] ?? 0), counted: found?.value };
    },
    /** Returns the sum of all balances in each currency, from one snapshot. Ignores balances that are not numbers. */
    getSums: async (): Promise<{ currency: unknown; sum: unknown }[]> => {
      const stages = [{ $group: { _id: '$currency', sum: { $sum: '$balance' } } }, { $sort: { _id: 1 } }];
      const options = { ...exact, readConcern: { level: 'snapshot' } } as const;
      const found = await accounts.aggregate<{ _id: unknown; sum: unknown }>(stages, options).toArray();
      return found.map(({ _id: currency, sum }) => ({ currency, sum }));
    },
  };
}
