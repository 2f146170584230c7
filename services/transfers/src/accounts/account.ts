import { hash } from 'node:crypto';
import type { Account as AccountResponse, AccountPurpose } from '@comanda/contracts/accounts';
import { fromMinor, type Currency } from '@comanda/contracts/money';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import type { Minor } from '../money.ts';
import { readStatement, signStatement, type PublicKeys, type Signer } from '@comanda/shared/crypto/statement';

/**
 * The owner id of the restaurant's takings accounts. No user has this id. The previous release treats such an account as a
 * user's, and makes no deposits from it.
 */
export const restaurantOwnerId = 0;

/**
 * An account's immutable facts. A cash account belongs to the restaurant: its `ownerId` and `ownerName` are null. The restaurant
 * has one cash account in each currency.
 */
export type AccountFacts = {
  id: number;
  name: string | null;
  ownerId: number | null;
  /** The name in the owner's access token when the account was opened. A user's name never changes. */
  ownerName: string | null;
  currency: Currency;
  createdAt: Date;
  /** Set for takings accounts only. A cash account is recognized by its missing owner. */
  purpose?: 'takings';
  /** The idempotency key and fingerprint of the request that opened the account; absent if the request had no key. */
  idempotency?: IdempotentRequest;
};
/** An account's newest entry: its `seq` (0 if there is none), its hash, and the balance after it. */
type Head = { balanceMinor: Minor; seq: number; hash: string };
export type Account = AccountFacts & Head;

/** Returns the `prev` of an account's first entry: a hash that binds the chain to the account and its owner. */
export const genesisHash = ({ id, ownerId, currency, createdAt }: AccountFacts): string =>
  hash('sha256', JSON.stringify(['account', id, ownerId, currency, createdAt.toISOString()]), 'base64url');

/** Returns the payload of an account's signed statement: the account's immutable facts. */
export const toAccountStatement = ({
  id,
  name,
  ownerId,
  ownerName,
  currency,
  createdAt,
  purpose,
  idempotency,
}: AccountFacts) => ({
  id,
  name,
  owner_id: ownerId,
  owner_name: ownerName,
  currency,
  created_at: createdAt.toISOString(),
  ...(purpose && { purpose }),
  ...(idempotency && { idempotency_key: idempotency.key, request_fingerprint: idempotency.fingerprint }),
});

export const signAccount = (facts: AccountFacts, signer: Signer): string =>
  signStatement(toAccountStatement(facts), 'account+jws', signer);

/** Returns the facts in an account's statement; null if none of `keys` has signed it. */
export function readAccountStatement(statement: string, keys: PublicKeys): AccountFacts | null {
  const signed = readStatement(statement, 'account+jws', keys) as ReturnType<typeof toAccountStatement> | null;
  if (!signed) return null;
  const { id, name, currency, idempotency_key: key, request_fingerprint: fingerprint } = signed;
  return {
    id,
    name,
    ownerId: signed.owner_id,
    ownerName: signed.owner_name,
    currency,
    createdAt: new Date(signed.created_at),
    ...(signed.purpose !== undefined && { purpose: signed.purpose }),
    ...(key !== undefined && fingerprint !== undefined && { idempotency: { key, fingerprint } }),
  };
}

export const newAccount = (facts: AccountFacts): Account => ({
  ...facts,
  balanceMinor: 0n,
  seq: 0,
  hash: genesisHash(facts),
});

export const isCash = ({ ownerId }: Pick<AccountFacts, 'ownerId'>): boolean => ownerId === null;
export const isTakings = ({ purpose }: Pick<AccountFacts, 'purpose'>): boolean => purpose === 'takings';
const purposeOf = (account: AccountFacts): AccountPurpose =>
  isCash(account) ? 'cash' : isTakings(account) ? 'takings' : 'personal';

/**
 * Returns the facts of the restaurant's takings account in `currency`, which receives bill payments. Its idempotency key prevents
 * a second takings account.
 */
export const takingsFacts = (currency: Currency, createdAt: Date): Omit<AccountFacts, 'id'> => ({
  name: 'Takings',
  ownerId: restaurantOwnerId,
  ownerName: null,
  currency,
  createdAt,
  purpose: 'takings',
  idempotency: { key: `takings ${currency}`, fingerprint: 'takings' },
});

export const toAccountResponse = (account: Account): AccountResponse => ({
  id: account.id,
  name: account.name,
  owner_id: isTakings(account) ? null : account.ownerId,
  owner_name: account.ownerName,
  purpose: purposeOf(account),
  balance: fromMinor(account.balanceMinor),
  currency: account.currency,
  created_at: account.createdAt.toISOString(),
});
