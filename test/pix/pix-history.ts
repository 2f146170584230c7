import type { ChangeStreamDocument, Document, MongoClient } from 'mongodb';

type About = { billId: number; paymentId: number; endToEndId: string };
export type PixRecorder = {
  /**
   * Returns how the payment and the receipt have changed, in the order in which the database has stored it: the status of the one
   * and the state of the other, such as `paid settling`. Ends the recording.
   */
  historyOf: (about: About) => Promise<string[]>;
};

/** Records what orders and transfers store about bills and Pix, in a database whose name begins with `database`. */
export async function recordPix(mongo: MongoClient, database: string): Promise<PixRecorder> {
  const recorded = [
    { db: `${database}_orders`, coll: 'bills' },
    { db: `${database}_transfers`, coll: 'pix_receipts' },
  ];
  const stream = mongo.watch([{ $match: { ns: { $in: recorded } } }], { maxAwaitTimeMS: 200 });
  await stream.tryNext(); // Begins it.
  return {
    historyOf: async ({ billId, paymentId, endToEndId }) => {
      const history: string[] = [];
      let bill: Document | null = null;
      let receipt: Document | null = null;
      for (let change = await stream.tryNext(); change; change = await stream.tryNext()) {
        const { _id: id }: { _id: unknown } = 'documentKey' in change ? change.documentKey : { _id: null };
        if (id === billId) bill = applied(bill, change);
        if (id === endToEndId) receipt = applied(receipt, change);
        const payment = (bill?.['payments'] as Document[] | undefined)?.find((each) => each['id'] === paymentId);
        const now = `${payment?.['status'] ?? 'none'} ${receipt?.['state'] ?? 'unknown'}`;
        if (now !== history.at(-1)) history.push(now);
      }
      await stream.close();
      return history;
    },
  };
}

/** Applies a change to a document, as the database has done it. Only the document's newest fields are right. */
function applied(document: Document | null, change: ChangeStreamDocument): Document | null {
  if (change.operationType === 'insert' || change.operationType === 'replace') return change.fullDocument;
  if (change.operationType !== 'update' || !document) return document;
  const { updatedFields = {}, truncatedArrays = [] } = change.updateDescription;
  for (const { field, newSize } of truncatedArrays) setAt(document, `${field}.length`, newSize);
  for (const [path, value] of Object.entries(updatedFields)) setAt(document, path, value);
  return document;
}

function setAt(document: Document, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce<Document>((at, name) => at[name] as Document, document);
  parent[last] = value;
}
