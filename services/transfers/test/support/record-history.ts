import { setTimeout as sleep } from 'node:timers/promises';
import mongoose, { type mongo } from 'mongoose';
import type { ClaimPurpose, PaymentStatus } from '@comanda/contracts/bills';
import type { Decision } from '../../src/bill-payments/payment-saga-model.ts';
import type { History, Stored } from './replay-history.ts';

type PaymentDocument = {
  id: number;
  method: string;
  status: PaymentStatus;
  claim?: { jti: string };
  barred_jtis?: string[];
};
type Written = {
  _id: unknown;
  operationType: string;
  ns: { coll: string };
  documentKey: { _id: string | number };
  fullDocument?: {
    jti: string;
    status: Decision;
    payment_id?: number;
    purpose?: ClaimPurpose;
    payments?: PaymentDocument[];
  };
};
type Recorded = { tokens: { jti: string; purpose: ClaimPurpose }[]; stored: Stored[] };

const collections = ['bills', 'transfers', 'bill_payment_attempts'];
const nothing: Omit<Stored, 'status'> = {
  claim: null,
  barred: new Set(),
  journal: new Map(),
  attempts: new Set(),
};

/** The histories of all payments by account, from the writes as the database tells them, in their order. */
export async function recordHistory({ uri, ordersDatabase }: { uri: string; ordersDatabase: string }) {
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  // A bill as it was after each write, not as it is when the write is told.
  const postImages = { changeStreamPreAndPostImages: { enabled: true } };
  await client.db(ordersDatabase).command({ collMod: 'bills', ...postImages });
  const { operationTime } = await client.db('admin').command({ hello: 1 });
  const payments = new Map<number, Recorded>();
  const paymentOf = new Map<string, number>();
  const end = Promise.withResolvers<void>();
  let stopped = false;
  let token: unknown;

  function push(paymentId: number, change: Partial<Stored>): void {
    const recorded = payments.get(paymentId);
    const last = recorded?.stored.at(-1);
    if (last) recorded?.stored.push({ ...last, ...change });
    else if (change.status)
      payments.set(paymentId, { tokens: [], stored: [{ ...nothing, status: 'reserved', ...change }] });
  }
  const lastOf = (paymentId: number): Stored | undefined => payments.get(paymentId)?.stored.at(-1);

  function onBill(documents: readonly PaymentDocument[]): void {
    for (const { id, method, status, claim, barred_jtis: barredJtis = [] } of documents) {
      const last = lastOf(id);
      const isSame = last?.status === status && last.claim === (claim?.jti ?? null);
      if (method !== 'account' || (isSame && last.barred.size === barredJtis.length)) continue;
      push(id, { status, claim: claim?.jti ?? null, barred: new Set(barredJtis) });
    }
  }
  function onAttempt(jti: string, noted: Written['fullDocument']): void {
    const { payment_id: id, purpose } = noted ?? {};
    if (id !== undefined && purpose) {
      paymentOf.set(jti, id);
      const tokens = payments.get(id)?.tokens ?? [];
      if (tokens.every((each) => each.jti !== jti)) tokens.push({ jti, purpose });
    }
    const paymentId = paymentOf.get(jti) ?? 0;
    const attempts = new Set(lastOf(paymentId)?.attempts);
    if (noted) attempts.add(jti);
    else attempts.delete(jti);
    push(paymentId, { attempts });
  }
  function onRow({ jti, status }: NonNullable<Written['fullDocument']>): void {
    const paymentId = paymentOf.get(jti);
    if (paymentId === undefined) return; // of no bill, or of a token that has claimed nothing
    push(paymentId, { journal: new Map(lastOf(paymentId)?.journal).set(jti, status) });
  }
  function onWritten({ operationType, ns, documentKey: { _id: id }, fullDocument }: Written): void {
    if (id === 'end') end.resolve();
    else if (ns.coll === 'bills') onBill(fullDocument?.payments ?? []);
    else if (ns.coll === 'transfers' && operationType === 'insert' && fullDocument) onRow(fullDocument);
    else if (ns.coll === 'bill_payment_attempts' && operationType !== 'update')
      onAttempt(String(id), operationType === 'insert' ? fullDocument : undefined);
  }
  async function watch(): Promise<void> {
    while (!stopped) {
      const from = token === undefined ? { startAtOperationTime: operationTime } : { resumeAfter: token };
      const options = { fullDocument: 'whenAvailable', ...from } as mongo.ChangeStreamOptions;
      const stream = client.watch([{ $match: { 'ns.coll': { $in: collections } } }], options);
      try {
        for await (const event of stream) {
          const written = event as unknown as Written;
          ({ _id: token } = written);
          onWritten(written);
        }
      } catch {
        await sleep(100); // the server was killed
      } finally {
        await stream.close();
      }
    }
  }
  const watching = watch();
  return {
    /** All histories, once the last write was told. */
    stop: async (): Promise<History[]> => {
      await client.db('bill_kills_end').collection<{ _id: string }>('bill_payment_attempts').insertOne({ _id: 'end' });
      await end.promise;
      stopped = true;
      await client.close();
      await watching;
      return [...payments].map(([paymentId, recorded]) => ({ paymentId, ...recorded }));
    },
    close: async (): Promise<void> => {
      stopped = true;
      await client.close();
      await watching;
    },
  };
}
