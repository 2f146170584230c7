import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { codeOf } from '@comanda/testing/call';
import { newKey, startTransfersHarness } from './support/harness.ts';
import type { TransfersHarness, SignedInUser } from './support/harness.ts';

let harness: TransfersHarness;
let owners: SignedInUser[];
beforeAll(async () => {
  harness = await startTransfersHarness('transfers-model');
  owners = [await harness.customer('Ana'), await harness.customer('Rui')];
}, 30_000);
afterAll(() => harness.close());

type Account = { id: number; owner: number; currency: string; cents: number };
type Sent = { owner: number; from: number; to: number; cents: number; key: string; code: string };

const pick = fc.nat({ max: 3 });
const cents = fc.integer({ min: 1, max: 3000 });
const step = fc.oneof(
  fc.record({ do: fc.constant('deposit' as const), to: pick, cents }),
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('send' as const), owner: fc.nat({ max: 1 }), from: pick, to: pick, cents }),
  },
  fc.record({ do: fc.constant('repeat' as const), which: fc.nat(), changed: fc.boolean() }),
);
const decimal = (of: number): string => `${Math.floor(of / 100)}.${String(of % 100).padStart(2, '0')}`;

/** What the ledger must answer, and what becomes of the money, in plain words. */
function expected(
  accounts: readonly Account[],
  { owner, from, to, cents: amount }: Omit<Sent, 'key' | 'code'>,
): string {
  const [payer, payee] = [accounts[from], accounts[to]] as [Account, Account];
  if (payer.owner !== owner) return '404 account_not_found';
  if (payer === payee) return '422 same_account';
  if (payer.currency !== payee.currency) return '422 currency_mismatch';
  if (payer.cents < amount) return '422 insufficient_funds';
  payer.cents -= amount;
  payee.cents += amount;
  return '201';
}

async function openAccounts(): Promise<Account[]> {
  const wanted = [
    { owner: 0, currency: 'BRL' },
    { owner: 1, currency: 'BRL' },
    { owner: 0, currency: 'BRL' },
    { owner: 1, currency: 'USD' },
  ];
  return Promise.all(
    wanted.map(async ({ owner, currency }) => {
      const { id } = await harness.openAccount(owners[owner] as SignedInUser, { currency });
      return { id, owner, currency, cents: 0 };
    }),
  );
}

test('when anything is done in any order, then each outcome and each balance is that of the plain model', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const accounts = await openAccounts();
      const sent: Sent[] = [];
      const outcomes: { got: string; due: string }[] = [];
      const idOf = (index: number): number => accounts[index]?.id ?? 0;
      const say = ({ owner, from, to, cents: amount, key }: Omit<Sent, 'code'>) =>
        harness
          .send(owners[owner] as SignedInUser, { from: idOf(from), to: idOf(to), amount: decimal(amount), key })
          .then(codeOf);
      for (const each of steps) {
        if (each.do === 'deposit') {
          await harness.deposit(idOf(each.to), decimal(each.cents));
          (accounts[each.to] as Account).cents += each.cents;
        } else if (each.do === 'send') {
          const call = { ...each, key: newKey() };
          const code = expected(accounts, call);
          outcomes.push({ got: await say(call), due: code });
          // Only what was decided with a spent token is final.
          if (code === '201' || code === '422 insufficient_funds') sent.push({ ...call, code });
        } else if (sent.length > 0) {
          const { code, ...earlier } = sent[each.which % sent.length] as Sent;
          const call = each.changed ? { ...earlier, cents: earlier.cents + 1 } : earlier;
          outcomes.push({ got: await say(call), due: each.changed ? '422 idempotency_key_reused' : code });
        }
      }
      expect(outcomes.map(({ got }) => got)).toEqual(outcomes.map(({ due }) => due));
      const balances = await Promise.all(accounts.map(({ id }) => harness.balance(id)));
      expect(balances).toEqual(accounts.map((account) => decimal(account.cents)));
    }),
    { numRuns: 15 },
  );
}, 90_000);
