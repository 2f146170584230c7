import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { MongoClient, type ChangeStreamOptions } from 'mongodb';
import type { PaymentStatus } from '@comanda/contracts/bill-payments';
import type { PaymentWrite } from './judge-payment-writes.ts';

type StoredPayment = { id: number; method: string; status: PaymentStatus; claim?: { jti: string } };
type Written = {
  _id: unknown;
  operationType: string;
  ns: { coll: string };
  documentKey: { _id: string | number };
  fullDocument?: {
    jti: string;
    status: 'posted' | 'refused' | 'expired';
    payment_id?: number;
    payments?: StoredPayment[];
  };
};
type Databases = { uri: string; orders: string; transfers: string };

/** Records all writes that concern payments from accounts, in MongoDB's order, even if its primary changes. */
export async function recordPayments({ uri, orders, transfers }: Databases) {
  const client = await new MongoClient(uri).connect();
  // Makes each change contain the bill as it was right after that write. Without this, it would contain the bill as it is when
  // the change is read.
  await client.db(orders).command({ collMod: 'bills', changeStreamPreAndPostImages: { enabled: true } });
  const { operationTime } = await client.db('admin').command({ hello: 1 });
  const marks = new Map<string, () => void>();
  const marksDatabase = `${transfers}_marks`;
  const watched = [
    { 'ns.db': orders, 'ns.coll': 'bills' },
    { 'ns.db': transfers, 'ns.coll': { $in: ['transfers', 'bill_payment_attempts'] } },
    { 'ns.db': marksDatabase },
  ];
  const writes: PaymentWrite[] = [];
  const last = new Map<number, string>();
  let stopped = false;
  let token: unknown;

  function onBill(payments: readonly StoredPayment[]): void {
    for (const { id, method, status, claim } of payments) {
      const write = { kind: 'payment', paymentId: id, status, claim: claim?.jti ?? null } as const;
      const text = JSON.stringify(write);
      if (method !== 'account' || last.get(id) === text) continue;
      last.set(id, text);
      writes.push(write);
    }
  }
  function onWritten({ operationType, ns, documentKey: { _id: id }, fullDocument }: Written): void {
    if (ns.coll === 'marks') marks.get(String(id))?.();
    else if (ns.coll === 'bills') onBill(fullDocument?.payments ?? []);
    else if (ns.coll === 'transfers' && operationType === 'insert' && fullDocument)
      writes.push({ kind: 'row', jti: fullDocument.jti, decision: fullDocument.status });
    else if (ns.coll === 'bill_payment_attempts' && operationType !== 'update') {
      const isNoted = operationType === 'insert';
      writes.push({ kind: 'attempt', jti: String(id), paymentId: fullDocument?.payment_id ?? 0, isNoted });
    }
  }
  async function watch(): Promise<void> {
    while (!stopped) {
      const from = token === undefined ? { startAtOperationTime: operationTime } : { resumeAfter: token };
      const options = { fullDocument: 'whenAvailable', ...from } as ChangeStreamOptions;
      const stream = client.watch([{ $match: { $or: watched } }], options);
      try {
        for await (const event of stream) {
          const written = event as unknown as Written;
          ({ _id: token } = written);
          onWritten(written);
        }
      } catch {
        await pause(100); // The server was killed, so try again.
      } finally {
        await stream.close();
      }
    }
  }
  const watching = watch();
  return {
    /** Returns all writes so far. */
    read: async (): Promise<readonly PaymentWrite[]> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const mark = randomUUID();
      marks.set(mark, resolve);
      await client.db(marksDatabase).collection<{ _id: string }>('marks').insertOne({ _id: mark });
      await promise;
      return writes;
    },
    close: async (): Promise<void> => {
      stopped = true;
      await client.close();
      await watching;
    },
  };
}
