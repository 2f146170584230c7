import { hash } from 'node:crypto';
import type { Account as AccountAnswer, Currency } from '@comanda/contracts/transfers';
import { fromMinor } from '../money.ts';
import type { Minor } from '../money.ts';

/** What never changes about an account. `ownerId` is null for the house's own cash account in a currency. */
export type AccountFacts = {
  id: number;
  name: string | null;
  ownerId: number | null;
  currency: Currency;
  createdAt: Date;
};
/** Where an account's chain of entries stands: `seq` of its newest entry (0: none), its hash and the balance after it. */
type Head = { balanceMinor: Minor; seq: number; hash: string };
export type Account = AccountFacts & Head;

/** What the first entry is chained to: it ties the chain to whose account it is. */
export const genesis = ({ id, ownerId, currency, createdAt }: AccountFacts): string =>
  hash('sha256', JSON.stringify(['account', id, ownerId, currency, createdAt.toISOString()]), 'base64url');

/** An account without entries. */
export const newAccount = (facts: AccountFacts): Account => ({
  ...facts,
  balanceMinor: 0n,
  seq: 0,
  hash: genesis(facts),
});

export const isCash = ({ ownerId }: AccountFacts): boolean => ownerId === null;

export const toAccountAnswer = (account: Account): AccountAnswer => ({
  id: account.id,
  name: account.name,
  owner_id: account.ownerId,
  balance: fromMinor(account.balanceMinor),
  currency: account.currency,
  created_at: account.createdAt.toISOString(),
});
