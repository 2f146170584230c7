import { randomUUID } from 'node:crypto';
import { Book, initModels, mongoTransaction } from 'medici';
import mongoose from 'mongoose';
import { accountCount, fundedMinor, type Pair } from './accounts.ts';

export type Peer = (pair: Pair) => Promise<unknown>;
const majority = { w: 'majority', journal: true } as const;

const accountSchema = new mongoose.Schema({ _id: Number, ownerId: Number, currency: String, balance: Number });
const transferSchema = new mongoose.Schema({
  jti: { type: String, unique: true },
  from: Number,
  to: Number,
  amount: Number,
  currency: String,
  status: String,
  createdAt: Date,
});
const entrySchema = new mongoose.Schema({
  account: { type: Number, index: true },
  transfer: mongoose.Schema.Types.ObjectId,
  amount: Number,
  balance: Number,
  createdAt: Date,
});

/**
 * A plain mongoose `withTransaction`: reads both accounts, checks and saves them, and creates the transfer and its two
 * entries. No chain, no receipt, no event, no idempotency.
 */
export async function openNaive(uri: string): Promise<{ transfer: Peer; close: () => Promise<void> }> {
  const connection = await mongoose
    .createConnection(uri, { dbName: 'bench_naive', writeConcern: majority, maxPoolSize: 100 })
    .asPromise();
  const Account = connection.model('Account', accountSchema);
  const Transfer = connection.model('Transfer', transferSchema);
  const Entry = connection.model('Entry', entrySchema);
  await Promise.all([Account.init(), Transfer.init(), Entry.init()]);
  const balance = Number(fundedMinor);
  await Account.insertMany(
    Array.from({ length: accountCount }, (_, id) => ({ _id: id, ownerId: id, currency: 'BRL', balance })),
  );
  const amount = 1;
  const transfer: Peer = ({ from, to }) => {
    const jti = randomUUID();
    return connection.transaction(
      async (session) => {
        const payer = await Account.findById(from).session(session);
        const payee = await Account.findById(to).session(session);
        if (!payer || !payee || (payer.balance ?? 0) < amount) throw new Error('no account, or no money in it');
        payer.balance = (payer.balance ?? 0) - amount;
        payee.balance = (payee.balance ?? 0) + amount;
        await payer.save({ session });
        await payee.save({ session });
        const createdAt = new Date();
        const facts = { jti, from, to, amount, currency: 'BRL', status: 'posted', createdAt };
        const [made] = await Transfer.create([facts], { session });
        const entries = [
          { account: from, amount: -amount, balance: payer.balance },
          { account: to, amount, balance: payee.balance },
        ];
        await Entry.insertMany(
          entries.map((entry) => ({ ...entry, transfer: made?.id, createdAt })),
          { session },
        );
      },
      { readConcern: { level: 'snapshot' }, writeConcern: majority },
    );
  };
  return { transfer, close: () => connection.close() };
}

/**
 * medici, a double-entry ledger on mongoose, used as its documentation describes a transfer that must not overdraw: the
 * journal with its two entries, then the balance, then the write lock of the payer.
 */
export async function openMedici(uri: string): Promise<{ transfer: Peer; close: () => Promise<void> }> {
  await mongoose.connect(uri, { dbName: 'bench_medici', writeConcern: majority, maxPoolSize: 100 });
  await initModels();
  const book = new Book('restaurant');
  const accountOf = (index: number): string => `User:${index}`;
  for (let first = 0; first < accountCount; first += 500) {
    const deposit = book.entry('deposit').debit('Cash', 500 * Number(fundedMinor));
    for (let index = first; index < first + 500; index++) deposit.credit(accountOf(index), Number(fundedMinor));
    await deposit.commit();
  }
  const transfer: Peer = ({ from, to }) =>
    mongoTransaction(async (session) => {
      const [payer, payee] = [accountOf(from), accountOf(to)];
      await book.entry('transfer').debit(payer, 1).credit(payee, 1).commit({ session });
      const { balance } = await book.balance({ account: payer }, { session });
      if (balance < 0) throw new Error('no money');
      await book.writelockAccounts([payer], { session });
    });
  return { transfer, close: () => mongoose.disconnect() };
}
