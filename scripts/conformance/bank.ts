import { randomInt, randomUUID } from 'node:crypto';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, CallFailure, type Client } from '@comanda/client';
import { emptyFolder, programs, runInSequence, type Check } from './run.ts';
import { demoPassword, emailOf, pin } from './stack.ts';

export const porcupineVersion = 'v1.3.1';
const goModule = `module comanda.test/check-history

go 1.24

require github.com/anishathalye/porcupine ${porcupineVersion}
`;

const owners = 4;
const workersPerOwner = 2;
const callsPerWorker = 25;
const startCents = 100_00;

/** A call and its answer; times in nanoseconds. Accounts are numbered from 0. */
type Observed = { worker: number; start: number; end: number } & (
  | { kind: 'transfer'; from: number; to: number; cents: number; posted: boolean }
  | { kind: 'read'; account: number; cents: number }
);
type Owner = { client: Client; account: number };

const centsOf = (amount: string): number => Math.round(Number(amount) * 100);
const amountOf = (cents: number): string => (cents / 100).toFixed(2);
const now = (): number => Math.round(performance.now() * 1e6);

function clientOf(url: string): Client {
  return createClient({ url, onConsent: async () => ({ transaction_password: pin }) });
}

/** A new customer with an account that has money. */
async function createOwner(url: string, manager: Client): Promise<Owner> {
  const client = clientOf(url);
  const credentials = { email: `${randomUUID()}@comanda.test`, password: randomUUID() };
  await client.calls.register({ name: 'Owner', ...credentials });
  await client.signIn(credentials);
  await client.calls.createTransactionPassword({ transaction_password: pin, confirmation: pin });
  const { id } = await client.calls.openAccount({});
  await manager.calls.deposit({ id, amount: amountOf(startCents) });
  return { client, account: id };
}

/** Two thirds of the calls are transfers, of which some are more than the account has. */
async function work(all: readonly Owner[], { owner, worker }: { owner: number; worker: number }): Promise<Observed[]> {
  const observed: Observed[] = [];
  const { client, account } = all[owner] as Owner;
  for (let call = 0; call < callsPerWorker; call++) {
    const start = now();
    if (randomInt(3) === 0) {
      const { balance } = await client.calls.getAccount({ id: account });
      observed.push({ worker, start, end: now(), kind: 'read', account: owner, cents: centsOf(balance) });
      continue;
    }
    const to = (owner + 1 + randomInt(owners - 1)) % owners;
    const cents = 1 + randomInt(60_00);
    const body = {
      from_account_id: account,
      to_account_id: all[to]?.account ?? 0,
      amount: amountOf(cents),
      currency: 'BRL',
    } as const;
    const posted = await isPosted(client.calls.transferMoney(body));
    observed.push({ worker, start, end: now(), kind: 'transfer', from: owner, to, cents, posted });
  }
  return observed;
}

async function isPosted(transfer: Promise<unknown>): Promise<boolean> {
  try {
    await transfer;
    return true;
  } catch (error) {
    if (error instanceof CallFailure && error.code === 'insufficient_funds') return false;
    throw error;
  }
}

/**
 * Customers transfer money and read balances at once. Porcupine looks for an order of these calls in which each one, taking
 * effect between its beginning and its end, answers what a bank without concurrency would.
 */
export const bank: Check = async (url) => {
  const manager = clientOf(url);
  await manager.signIn({ email: emailOf('manager'), password: demoPassword });
  const all: Owner[] = [];
  for (let count = 0; count < owners; count++) all.push(await createOwner(url, manager));
  const workers = Array.from({ length: owners * workersPerOwner }, (_, worker) => ({ owner: worker % owners, worker }));
  const history = (await Promise.all(workers.map((each) => work(all, each)))).flat();

  const folder = emptyFolder('bank');
  writeFileSync(join(folder, 'go.mod'), goModule);
  copyFileSync(join(programs, 'check-history.go'), join(folder, 'main.go'));
  const file = join(folder, 'history.json');
  writeFileSync(file, JSON.stringify({ accounts: owners, start: startCents, history }));
  const result = await runInSequence([
    ['go', '-C', folder, 'mod', 'tidy'],
    ['go', '-C', folder, 'run', '.', file],
  ]);
  return { ...result, tried: history.length };
};
