import mongoose from 'mongoose';
import { fundedMinor, type KillableStack } from './killable-stack.ts';
import { audit } from './audit.ts';
import type { FinalAnswer, Work } from './kills.ts';

type Ledger = KillableStack['ledger'];
type Row = { _id: number; status: string; idempotency_key?: string; jti: string };
type Head = { _id: number; owner_id: number | null; balance: bigint };

async function read<T>({ uri, database }: Ledger, work: (db: mongoose.mongo.Db) => Promise<T>): Promise<T> {
  const client = await new mongoose.mongo.MongoClient(uri).connect();
  try {
    return await work(client.db(database));
  } finally {
    await client.close();
  }
}
const exact = { useBigInt64: true } as const;

export const postedIds = (ledger: Ledger): Promise<number[]> =>
  read(ledger, async (db) => {
    const rows = await db.collection<Row>('transfers').find({ status: 'posted' }, exact).toArray();
    return rows.map(({ _id }) => _id);
  });

/** Differences between the ledger and the answers that clients got, and faults of the ledger; empty if there are none. */
export async function checkLedgerAfterKills({ ledger, customers }: KillableStack, work: Work): Promise<string[]> {
  const { rows, heads } = await read(ledger, async (db) => ({
    rows: await db.collection<Row>('transfers').find({}, exact).toArray(),
    heads: await db.collection<Head>('accounts').find({}, exact).toArray(),
  }));
  return [
    ...work.undecided.map((key) => `the call ${key} has no final answer`),
    ...checkRows(rows, work),
    ...checkMoney(
      new Map(heads.map(({ _id, balance }) => [_id, balance])),
      customers.map(({ account }) => account),
      work.answers,
    ),
    ...(await audit(ledger)),
  ];
}

/** Each token and each key has at most one decision, and it is the one that was answered. */
function checkRows(rows: readonly Row[], { answers, reusedTokens }: Work): string[] {
  const keyed = rows.filter(({ idempotency_key: key }) => key !== undefined);
  const byKey = new Map(keyed.map((row) => [row.idempotency_key, row]));
  const decidedOf = (key: string): string => {
    const row = byKey.get(key);
    return row?.status === 'posted' ? `201 ${row['_id']}` : (row?.status ?? 'nothing');
  };
  const expectedOf = ({ answer, id }: FinalAnswer): string => (answer === '201' ? `201 ${id}` : 'refused');
  return [
    ...answers
      .filter((call) => decidedOf(call.key) !== expectedOf(call))
      .map(
        (call) => `${call.key} was answered ${call.answer} (${call.id}), and ${decidedOf(call.key)} is in the ledger`,
      ),
    ...answers.filter(({ answer }) => !['201', '422 insufficient_funds'].includes(answer)).map(({ answer }) => answer),
    ...reusedTokens.filter((key) => byKey.has(key)).map((key) => `a spent token had a second effect: ${key}`),
    ...(byKey.size === keyed.length ? [] : ['one key has two decisions']),
    ...(new Set(rows.map(({ jti }) => jti)).size === rows.length ? [] : ['one token has two decisions']),
  ];
}

/** Every account holds exactly what the answers add up to; all accounts together hold zero. */
function checkMoney(
  balances: ReadonlyMap<number, bigint>,
  accounts: readonly number[],
  answers: readonly FinalAnswer[],
): string[] {
  const expected = new Map(accounts.map((account) => [account, fundedMinor]));
  for (const { answer, from, to, amountMinor } of answers) {
    if (answer !== '201') continue;
    expected.set(from, (expected.get(from) ?? 0n) - amountMinor);
    expected.set(to, (expected.get(to) ?? 0n) + amountMinor);
  }
  const sum = [...balances.values()].reduce((total, balance) => total + balance, 0n);
  return [
    ...[...expected]
      .filter(([account, balance]) => balances.get(account) !== balance)
      .map(([account, balance]) => `account ${account} holds ${balances.get(account)}, which should be ${balance}`),
    ...(sum === 0n ? [] : [`all balances add up to ${sum}`]),
  ];
}
