import mongoose from 'mongoose';
import type { PaymentStatus } from '@comanda/contracts/bills';
import { audit } from './audit.ts';
import type { BillKillStack } from './bill-kill-stack.ts';
import type { Dinners } from './bill-kill-diners.ts';

export type StoredPayment = { id: number; status: PaymentStatus; total: string; transferId: number | undefined };
type Row = { _id: number; kind: string; payment_id: number; amount: bigint };

async function read<T>(
  { ledger: { uri } }: BillKillStack,
  work: (client: mongoose.mongo.MongoClient) => Promise<T>,
): Promise<T> {
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

/** How many payments are claimed or being given back, and attempts have not ended. */
export const findUnended = (stack: BillKillStack): Promise<number> =>
  read(stack, async (client) => {
    const held = { 'payments.status': { $in: ['claimed', 'refunding'] } };
    const attempts = client.db(stack.ledger.database).collection('bill_payment_attempts');
    const bills = client.db(stack.ordersDatabase).collection('bills');
    return (await bills.countDocuments(held)) + (await attempts.countDocuments());
  });

/** All payments by account, and what is wrong with them, with the ledger, or with an answer; empty if nothing is. */
export async function checkBillsAfterKills(
  stack: BillKillStack,
  { posted: answered }: Pick<Dinners, 'posted'>,
): Promise<{ payments: StoredPayment[]; broken: string[] }> {
  const { payments, rows, sum, attempts } = await read(stack, async (client) => {
    const ledger = client.db(stack.ledger.database);
    const bills = await client.db(stack.ordersDatabase).collection('bills').find().toArray();
    const ofBills = { status: 'posted', payment_id: { $exists: true } };
    const found = await ledger.collection<Row>('transfers').find(ofBills, { useBigInt64: true }).toArray();
    const heads = await ledger.collection('accounts').find({}, { useBigInt64: true }).toArray();
    return {
      payments: bills.flatMap(({ payments: list }) => (list as mongoose.mongo.Document[]).map(toPayment)),
      rows: found,
      sum: heads.reduce((total, { balance }) => total + (balance as bigint), 0n),
      attempts: await ledger.collection('bill_payment_attempts').countDocuments(),
    };
  });
  const ids = new Set(payments.map(({ id }) => id));
  const posted = new Set(rows.map(({ kind, payment_id: id }) => `${kind} ${id}`));
  const broken = [
    ...payments.flatMap((payment) => checkPayment(payment, rows)),
    ...rows.filter(({ payment_id: id }) => !ids.has(id)).map(({ _id }) => `transfer ${_id} is of no payment`),
    ...answered
      .filter(({ kind, paymentId }) => !posted.has(`${kind} ${paymentId}`))
      .map(({ kind, paymentId }) => `${kind} of ${paymentId} was answered 201, and is not posted`),
    ...(sum === 0n ? [] : [`all balances add up to ${sum}`]),
    ...(attempts === 0 ? [] : [`${attempts} attempts have not ended`]),
    ...(await audit(stack.ledger)),
  ];
  return { payments, broken };
}

const toPayment = ({ id, status, amount, transfer_id: transferId }: mongoose.mongo.Document): StoredPayment => ({
  id: Number(id),
  status,
  total: String(amount),
  transferId,
});

/** How many transfers have to be posted for a payment that has ended so: of the payment, and of its refund. */
const postedFor: Partial<Record<PaymentStatus, [payments: number, refunds: number]>> = {
  reserved: [0, 0],
  cancelled: [0, 0],
  expired: [0, 0],
  failed: [0, 0],
  paid: [1, 0],
  refunded: [1, 1],
};

function checkPayment({ id, status, total, transferId }: StoredPayment, rows: readonly Row[]): string[] {
  const own = rows.filter(({ payment_id: paymentId }) => paymentId === id);
  const [payments, refunds] = ['bill_payment', 'bill_refund'].map((kind) => own.filter((row) => row.kind === kind)) as [
    Row[],
    Row[],
  ];
  const expected = postedFor[status];
  if (!expected) return [`payment ${id} is still ${status}`];
  const counted = [payments.length, refunds.length];
  const isPaidBy = status !== 'paid' && status !== 'refunded' ? true : payments[0]?.['_id'] === transferId;
  return [
    ...(counted.join() === expected.join() ? [] : [`payment ${id} is ${status}, and ${counted.join()} are posted`]),
    ...(isPaidBy ? [] : [`payment ${id} is ${status} by transfer ${transferId}, which is not the one that is posted`]),
    ...own
      .filter(({ amount }) => amount !== 4000n || Number(total) !== 40)
      .map(({ _id }) => `transfer ${_id} of payment ${id} has another amount`),
  ];
}
