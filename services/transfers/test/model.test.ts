import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { budget } from '@comanda/testing/budget';
import { codeOf } from '@comanda/testing/call';
import { newKey, startTransfersHarness, type TransfersHarness, type SignedInUser } from './support/harness.ts';

let harness: TransfersHarness;
let owners: SignedInUser[];
beforeAll(async () => {
  harness = await startTransfersHarness('transfers-model');
  owners = [await harness.customer('Ana'), await harness.customer('Rui')];
});
afterAll(() => harness.close());

type Account = { id: number; owner: number; currency: string; cents: number };
/** A transfer in the model. `owner`, `from` and `to` are indexes into the model's lists. */
type Transfer = { owner: number; from: number; to: number; cents: number; key: string };
/** A transfer with its final response. */
type DecidedTransfer = Transfer & { code: string };

const accountIndex = fc.nat({ max: 3 });
const cents = fc.integer({ min: 1, max: 3000 });
const deposit = fc.record({ kind: fc.constant('deposit' as const), to: accountIndex, cents });
const transfer = fc.record({
  kind: fc.constant('transfer' as const),
  owner: fc.nat({ max: 1 }),
  from: accountIndex,
  to: accountIndex,
  cents,
});
/** Repeats an earlier transfer with the same idempotency key, sometimes with another amount. */
const repeat = fc.record({ kind: fc.constant('repeat' as const), which: fc.nat(), isChanged: fc.boolean() });
const step = fc.oneof(deposit, { weight: 3, arbitrary: transfer }, repeat);

const decimal = (amount: number): string => `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;

/** Applies a transfer to the model: moves the money in `accounts`, and returns the expected response. */
function applyToModel(accounts: readonly Account[], { owner, from, to, cents: amount }: Transfer): string {
  const [payer, payee] = [accounts[from], accounts[to]] as [Account, Account];
  if (payer.owner !== owner) return '404 account_not_found';
  if (payer === payee) return '422 same_account';
  if (payer.currency !== payee.currency) return '422 currency_mismatch';
  if (payer.cents < amount) return '422 insufficient_funds';
  payer.cents -= amount;
  payee.cents += amount;
  return '201';
}

function openAccounts(): Promise<Account[]> {
  const accounts = [
    { owner: 0, currency: 'BRL' },
    { owner: 1, currency: 'BRL' },
    { owner: 0, currency: 'BRL' },
    { owner: 1, currency: 'USD' },
  ];
  return Promise.all(
    accounts.map(async ({ owner, currency }) => {
      const { id } = await harness.openAccount(owners[owner] as SignedInUser, { currency });
      return { id, owner, currency, cents: 0 };
    }),
  );
}

async function sendToService(accounts: readonly Account[], { owner, from, to, cents: amount, key }: Transfer) {
  const [payer, payee] = [accounts[from], accounts[to]] as [Account, Account];
  const request = { from: payer.id, to: payee.id, amount: decimal(amount), key };
  return codeOf(await harness.send(owners[owner] as SignedInUser, request));
}

test('the service behaves like its model after any steps in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const accounts = await openAccounts();
      const decided: DecidedTransfer[] = [];
      const responses: { actual: string; expected: string }[] = [];

      for (const each of steps) {
        if (each.kind === 'deposit') {
          const account = accounts[each.to] as Account;
          await harness.deposit(account.id, decimal(each.cents));
          account.cents += each.cents;
        } else if (each.kind === 'transfer') {
          const request = { ...each, key: newKey() };
          const expected = applyToModel(accounts, request);
          responses.push({ actual: await sendToService(accounts, request), expected });
          // The response is final only if the token was spent.
          if (expected === '201' || expected === '422 insufficient_funds') decided.push({ ...request, code: expected });
        } else if (decided.length > 0) {
          const { code, ...earlier } = decided[each.which % decided.length] as DecidedTransfer;
          const request = each.isChanged ? { ...earlier, cents: earlier.cents + 1 } : earlier;
          const expected = each.isChanged ? '422 idempotency_key_reused' : code;
          responses.push({ actual: await sendToService(accounts, request), expected });
        }
      }

      expect(responses.map(({ actual }) => actual)).toEqual(responses.map(({ expected }) => expected));
      const balances = await Promise.all(accounts.map(({ id }) => harness.balance(id)));
      expect(balances).toEqual(accounts.map((account) => decimal(account.cents)));
    }),
    { numRuns: budget(8, 50) },
  );
});
