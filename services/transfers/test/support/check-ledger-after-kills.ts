import mongoose from 'mongoose';
import { fundedMinor } from './killable-house.ts';
import type { KillableHouse } from './killable-house.ts';
import { audit } from './audit.ts';
import type { Told, Work } from './kills.ts';

type Ledger = KillableHouse['ledger'];
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

/** What the books say against what everybody was told; empty where it is the same, and the ledger is whole. */
export async function checkBooks({ ledger, people }: KillableHouse, work: Work): Promise<string[]> {
  const { rows, heads } = await read(ledger, async (db) => ({
    rows: await db.collection<Row>('transfers').find({}, exact).toArray(),
    heads: await db.collection<Head>('accounts').find({}, exact).toArray(),
  }));
  return [
    ...work.undecided.map((key) => `the call ${key} has no final answer`),
    ...checkRows(rows, work),
    ...checkMoney(
      new Map(heads.map(({ _id, balance }) => [_id, balance])),
      people.map(({ account }) => account),
      work.told,
    ),
    ...(await audit(ledger)),
  ];
}

/** At most one decision for a token and for a key, and the one that was told. */
function checkRows(rows: readonly Row[], { told, shownAgain }: Work): string[] {
  const keyed = rows.filter(({ idempotency_key: key }) => key !== undefined);
  const byKey = new Map(keyed.map((row) => [row.idempotency_key, row]));
  const decidedOf = (key: string): string => {
    const row = byKey.get(key);
    return row?.status === 'posted' ? `201 ${row['_id']}` : (row?.status ?? 'nothing');
  };
  const dueOf = ({ answer, id }: Told): string => (answer === '201' ? `201 ${id}` : 'refused');
  return [
    ...told
      .filter((call) => decidedOf(call.key) !== dueOf(call))
      .map(
        (call) => `${call.key} was answered ${call.answer} (${call.id}), and ${decidedOf(call.key)} is in the books`,
      ),
    ...told.filter(({ answer }) => !['201', '422 insufficient_funds'].includes(answer)).map(({ answer }) => answer),
    ...shownAgain.filter((key) => byKey.has(key)).map((key) => `a spent token had a second effect: ${key}`),
    ...(byKey.size === keyed.length ? [] : ['one key has two decisions']),
    ...(new Set(rows.map(({ jti }) => jti)).size === rows.length ? [] : ['one token has two decisions']),
  ];
}

/** Every account holds what is left after all that was told, to the cent; all of them add up to zero. */
function checkMoney(
  balances: ReadonlyMap<number, bigint>,
  accounts: readonly number[],
  told: readonly Told[],
): string[] {
  const due = new Map(accounts.map((account) => [account, fundedMinor]));
  for (const { answer, from, to, amountMinor } of told) {
    if (answer !== '201') continue;
    due.set(from, (due.get(from) ?? 0n) - amountMinor);
    due.set(to, (due.get(to) ?? 0n) + amountMinor);
  }
  const sum = [...balances.values()].reduce((total, balance) => total + balance, 0n);
  return [
    ...[...due]
      .filter(([account, balance]) => balances.get(account) !== balance)
      .map(([account, balance]) => `account ${account} holds ${balances.get(account)}, which should be ${balance}`),
    ...(sum === 0n ? [] : [`all balances add up to ${sum}`]),
  ];
}
