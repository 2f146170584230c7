import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Entry } from '@comanda/contracts/accounts';
import { caller } from '@comanda/testing/call';
import { audit } from './support/audit.ts';
import { newKey, send, startTransfersHarness, type SignedInUser, type TransfersHarness } from './support/harness.ts';

type Customer = SignedInUser & { account: number };
const transfersEach = 20;

let harness: TransfersHarness;
let urls: string[];
let customers: Customer[];
beforeAll(async () => {
  harness = await startTransfersHarness('bank');
  urls = [harness.url, (await harness.startInstance()).url];
  customers = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const user = await harness.customer();
      return { ...user, account: (await harness.openAccount(user)).id };
    }),
  );
  for (const { account } of customers) await harness.deposit(account, '100.00');
});
afterAll(() => harness.close());

const randomOf = <T>(items: readonly T[]): T => items[randomInt(items.length)] as T;
const randomUrl = (): string => randomOf(urls);
const cents = (decimal: string): bigint => BigInt(decimal.replace('.', ''));
/**
 * Returns the entries with a negative balance, or with a balance that does not follow from the previous entry. `entries` must be
 * sorted newest first.
 */
const wrongEntries = (entries: readonly Entry[]): Entry[] =>
  entries.filter(({ balance, amount }, index) => {
    const before = entries[index + 1]?.balance ?? '0.00';
    return cents(balance) !== cents(before) + cents(amount) || cents(balance) < 0n;
  });

/** Sends random amounts to random customers. Returns the status of each response. */
async function sendAtRandom(customer: Customer): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < transfersEach; count++) {
    const to = randomOf(customers);
    if (to === customer) continue;
    const user = { ...customer, call: caller(randomUrl(), customer) };
    const amount = `${randomInt(1, 80)}.${randomInt(10, 99)}`;
    const request = { from: customer.account, to: to.account, amount, key: newKey() };
    statuses.push((await send(user, harness.issueStepUpToken, request)).status);
  }
  return statuses;
}

/** Returns the sum of all balances and the lowest customer balance, both from the same snapshot. */
async function readSnapshot(): Promise<{ sum: bigint; lowest: bigint }> {
  const session = harness.db.client.startSession({ snapshot: true });
  const all = await harness.db.collection('accounts').find({}, { session, useBigInt64: true }).toArray();
  await session.endSession();
  const balances = all.map(({ owner_id: owner, balance }) => ({ owner, balance: balance as bigint }));
  const own = balances.flatMap(({ owner, balance }) => (owner === null ? [] : balance));
  return {
    sum: balances.reduce((sum, { balance }) => sum + balance, 0n),
    lowest: own.reduce((lowest, balance) => (balance < lowest ? balance : lowest), 0n),
  };
}

async function readStatement(): Promise<Entry[]> {
  const customer = randomOf(customers);
  const call = caller(randomUrl(), customer);
  return (await call('GET', `/accounts/${customer.account}/entries?limit=200`)).body;
}

/** Calls `read` again and again until `done` returns true. Returns all results. */
async function readUntil<T>(done: () => boolean, read: () => Promise<T>): Promise<T[]> {
  const all: T[] = [];
  while (!done()) all.push(await read());
  return all;
}

test('the balances in every snapshot add up while two instances move money at random', async () => {
  let done = false;
  const isDone = (): boolean => done;
  const snapshots = Array.from({ length: 3 }, () => readUntil(isDone, readSnapshot));
  const statements = Array.from({ length: 2 }, () => readUntil(isDone, readStatement));

  const statuses = (await Promise.all(customers.map(sendAtRandom))).flat();
  done = true;

  const seenSnapshots = (await Promise.all(snapshots)).flat();
  expect(seenSnapshots.length).toBeGreaterThanOrEqual(snapshots.length); // each customer reads at least once
  expect(seenSnapshots.filter(({ sum, lowest }) => sum !== 0n || lowest < 0n)).toEqual([]);
  const seenStatements = (await Promise.all(statements)).flat();
  expect(seenStatements.length).toBeGreaterThanOrEqual(statements.length);
  expect(seenStatements.flatMap(wrongEntries)).toEqual([]);
  // On a busy machine, a 503 is allowed: one instance may wait too long for an account that another instance is writing.
  expect(statuses.filter((status) => ![201, 422, 503].includes(status))).toEqual([]);
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThan(0);
  const { env, servers } = harness;
  const secret = env['KEY_SEALING_SECRET'] ?? '';
  const { jwksUrl } = harness.auth;
  expect(await audit({ uri: servers.mongodbUri, database: servers.database, secret, jwksUrl })).toEqual([]);
});
