// Transfers money between accounts with step-up authorization, like the transfers service. Usage: transfers.ts mongoose | medici.
// Needs MONGODB_URI, RABBITMQ_URL, JWKS_URL and CONSENT_URL. The account ids are 1 to 10,000, the same as their owners' ids.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { connect } from 'amqplib';
import express, { type NextFunction, type Request, type Response } from 'express';
import joi from 'joi';
import { Book, initModels } from 'medici';
import mongoose, { type ClientSession } from 'mongoose';
import { accountCount, fundedMinor } from '../transfers/accounts.ts';
import { env, fetchKeys, listen, requireAccessToken } from './tokens.ts';

const [kind = 'mongoose'] = process.argv.slice(2);
const majority = { w: 'majority', journal: true } as const;
await mongoose.connect(env('MONGODB_URI'), {
  dbName: `bench_peer_${kind}`,
  writeConcern: majority,
  readConcern: { level: 'majority' },
  maxPoolSize: 100,
});

class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

const Account = mongoose.model(
  'Account',
  new mongoose.Schema({ _id: Number, ownerId: Number, currency: String, balance: Number }),
);
const Entry = mongoose.model(
  'Entry',
  new mongoose.Schema({ account: Number, transfer: Number, amount: Number, balance: Number, createdAt: Date }).index({
    account: 1,
    _id: -1,
  }),
);
const Transfer = mongoose.model(
  'Transfer',
  new mongoose.Schema({
    _id: Number,
    jti: { type: String, unique: true },
    userId: Number,
    key: String,
    fingerprint: String,
    from: Number,
    to: Number,
    amount: Number,
    currency: String,
    description: String,
    pinVersion: Number,
    receipt: String,
    createdAt: Date,
  }).index({ userId: 1, key: 1 }, { unique: true, partialFilterExpression: { key: { $exists: true } } }),
);
const Outbox = mongoose.model('Outbox', new mongoose.Schema({ _id: String, routingKey: String, event: Object }));
const Counter = mongoose.model('Counter', new mongoose.Schema({ _id: String, next: Number }));
await Promise.all([Account, Entry, Transfer, Outbox, Counter].map((model) => model.init()));

type Facts = { from: number; to: number; amount: number };
type Ledger = {
  fill: () => Promise<void>;
  /** Moves the money within the transaction. @throws Refusal `insufficient_funds` */
  move: (facts: Facts & { transfer: number; createdAt: Date }, session: ClientSession) => Promise<void>;
};
const accounts = Array.from({ length: accountCount }, (_, index) => index + 1);
const fillAccounts = async (): Promise<void> => {
  await Account.insertMany(
    accounts.map((id) => ({ _id: id, ownerId: id, currency: 'BRL', balance: Number(fundedMinor) })),
  );
};
const ledgers: Record<string, () => Promise<Ledger>> = {
  mongoose: () =>
    Promise.resolve({
      fill: fillAccounts,
      move: async ({ from, to, amount, transfer, createdAt }, session) => {
        const options = { session, returnDocument: 'after' } as const;
        const enough = { _id: from, balance: { $gte: amount } };
        const payer = await Account.findOneAndUpdate(enough, { $inc: { balance: -amount } }, options);
        if (!payer) throw new Refusal(422, 'insufficient_funds');
        const payee = await Account.findOneAndUpdate({ _id: to }, { $inc: { balance: amount } }, options);
        await Entry.insertMany(
          [
            { account: from, transfer, amount: -amount, balance: payer.balance, createdAt },
            { account: to, transfer, amount, balance: payee?.balance, createdAt },
          ],
          { session },
        );
      },
    }),
  medici: async () => {
    await initModels();
    const book = new Book('restaurant');
    const nameOf = (account: number): string => `User:${account}`;
    return {
      fill: async () => {
        await fillAccounts();
        for (let first = 0; first < accounts.length; first += 500) {
          const deposit = book.entry('deposit').debit('Cash', 500 * Number(fundedMinor));
          for (const account of accounts.slice(first, first + 500))
            deposit.credit(nameOf(account), Number(fundedMinor));
          await deposit.commit();
        }
      },
      // Follows medici's documentation for transfers that must not overdraw an account.
      move: async ({ from, to, amount }, session) => {
        await book.entry('transfer').debit(nameOf(from), amount).credit(nameOf(to), amount).commit({ session });
        const { balance } = await book.balance({ account: nameOf(from) }, { session });
        if (balance < 0) throw new Refusal(422, 'insufficient_funds');
        await book.writelockAccounts([nameOf(from)], { session });
      },
    };
  },
};
const ledger = await ledgers[kind]?.();
if (!ledger) throw new Error(`Usage: transfers.ts ${Object.keys(ledgers).join(' | ')}`);
if ((await Account.estimatedDocumentCount()) === 0) await ledger.fill();

const exchange = 'peer.transfers';
const rabbitmq = await connect(env('RABBITMQ_URL'));
const channel = await rabbitmq.createConfirmChannel();
await channel.assertExchange(exchange, 'topic', { durable: true });

/** Publishes a committed transfer's event, then deletes it from the outbox. */
async function publish(id: string, event: object): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const content = Buffer.from(JSON.stringify(event));
  const options = { persistent: true, contentType: 'application/cloudevents+json' };
  channel.publish(exchange, 'transfer.posted', content, options, (error) =>
    error ? reject(error as Error) : resolve(),
  );
  await promise;
  await Outbox.deleteOne({ _id: id });
}

/** The current block of reserved ids. With blocks, most transfers don't wait for the counter. */
let ids = { next: 1, end: 1 };
let block: Promise<void> | null = null;
async function nextId(): Promise<number> {
  while (ids.next === ids.end) {
    block ??= takeBlock().finally(() => (block = null));
    await block;
  }
  return ids.next++;
}
async function takeBlock(): Promise<void> {
  const size = 1000;
  const counter = await Counter.findByIdAndUpdate(
    'transfer',
    { $inc: { next: size } },
    { upsert: true, returnDocument: 'after' },
  );
  const end = (counter?.next ?? size) + 1;
  ids = { next: end - size, end };
}

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
function signReceipt(facts: object): string {
  const signed = `${encode({ alg: 'ES256', kid: 'peer', typ: 'receipt+jws' })}.${encode(facts)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

const bodySchema = joi
  .object({
    from_account_id: joi.number().integer().positive().required(),
    to_account_id: joi.number().integer().positive().required(),
    amount: joi
      .string()
      .pattern(/^(0|[1-9]\d{0,11})\.\d{2}$/)
      .required(),
    currency: joi.string().valid('BRL', 'USD', 'EUR'),
    description: joi.string().max(140),
  })
  .required();
type Body = { from_account_id: number; to_account_id: number; amount: string; currency?: string; description?: string };

async function consume(req: Request, fingerprint: string): Promise<{ jti: string; pin_version: number }> {
  const response = await fetch(`${env('CONSENT_URL')}/consume`, {
    method: 'POST',
    headers: { authorization: req.headers.authorization ?? '', 'content-type': 'application/json' },
    body: JSON.stringify({
      token: req.headers['x-step-up-token'],
      endpointKey: 'internal_transfer.create',
      fingerprint,
    }),
    signal: AbortSignal.timeout(1500),
  });
  const body = (await response.json()) as { jti: string; pin_version: number; code: string };
  if (response.status !== 200) throw new Refusal(response.status, body.code);
  return body;
}

const show = (transfer: InstanceType<typeof Transfer>) => ({
  id: transfer.get('_id') as number,
  from_account_id: transfer.from,
  to_account_id: transfer.to,
  amount: ((transfer.amount ?? 0) / 100).toFixed(2),
  currency: transfer.currency,
  description: transfer.description ?? null,
  status: 'posted',
  receipt: transfer.receipt,
  created_at: transfer.createdAt?.toISOString(),
});

async function transferOnce(req: Request, userId: number) {
  const { value, error } = bodySchema.validate(req.body, { convert: false }) as { value: Body; error?: Error };
  if (error) throw new Refusal(400, 'validation_failed');
  const key = req.headers['idempotency-key'] as string | undefined;
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([userId, req.path, key, value]))
    .digest('base64url');
  if (key !== undefined) {
    const earlier = await Transfer.findOne({ userId, key });
    if (earlier && earlier.fingerprint !== fingerprint) throw new Refusal(422, 'idempotency_key_reused');
    if (earlier) return earlier;
  }
  const { from_account_id: from, to_account_id: to, description } = value;
  const amount = Math.round(Number(value.amount) * 100);
  const [payer, payee] = await Promise.all([Account.findById(from).lean(), Account.findById(to).lean()]);
  if (payer?.ownerId !== userId || !payee) throw new Refusal(404, 'account_not_found');
  if (from === to) throw new Refusal(422, 'same_account');
  if (payer.currency !== payee.currency) throw new Refusal(422, 'currency_mismatch');

  const { jti, pin_version: pinVersion } = await consume(req, fingerprint);
  const id = await nextId();
  const createdAt = new Date();
  const { currency } = payer;
  const receipt = signReceipt({ id, from, to, amount: value.amount, currency, jti, pinVersion, createdAt });
  const facts = {
    jti,
    userId,
    key,
    fingerprint,
    from,
    to,
    amount,
    currency,
    description,
    pinVersion,
    receipt,
    createdAt,
  };
  const event = { specversion: '1.0', id: `${id}`, type: 'transfer.posted', source: '/transfers', data: value };
  const posted = await mongoose.connection.transaction(
    async (session) => {
      const made = new Transfer({ _id: id, ...facts });
      await made.save({ session });
      await ledger?.move({ from, to, amount, transfer: id, createdAt }, session);
      await Outbox.create([{ _id: event.id, routingKey: event.type, event }], { session });
      return made;
    },
    { readConcern: { level: 'snapshot' }, writeConcern: majority },
  );
  publish(event.id, event).catch(console.error);
  return posted;
}

const app = express().disable('x-powered-by');
const keys = await fetchKeys(env('JWKS_URL'));
app.post(
  '/accounts/internal-transfers',
  requireAccessToken(keys),
  express.json({ limit: '64kb' }),
  async (req, res) => {
    const transfer = await transferOnce(req, res.locals['userId'] as number);
    res.status(201).json(show(transfer));
  },
);
// oxlint-disable-next-line eslint/max-params -- Express knows an error handler by its four parameters
app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
  if (error instanceof Refusal) return res.status(error.status).json({ code: error.code });
  console.error(error);
  return res.status(503).json({ code: 'service_unavailable' });
});
await listen(app);
