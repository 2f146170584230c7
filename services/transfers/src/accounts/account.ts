import { hash } from 'node:crypto';
import type { Account as AccountResponse, AccountPurpose, Currency } from '@comanda/contracts/transfers';
import type { IdempotentRequest } from '@comanda/shared/http/request-fingerprint';
import { fromMinor, type Minor } from '../money.ts';
import { readStatement, signStatement, type PublicKeys, type Signer } from '@comanda/shared/crypto/statement';

/**
 * The owner of the restaurant's takings accounts: nobody signs in with this id. The last release takes such an account for
 * one of a person, so that it pays no deposit from it.
 */
export const restaurantOwnerId = 0;

/** What never changes about an account. The restaurant's cash account in a currency has no owner: `ownerId` and `ownerName` are null. */
export type AccountFacts = {
  id: number;
  name: string | null;
  ownerId: number | null;
  /** As the owner's access token had it when the account was opened. Names of users never change. */
  ownerName: string | null;
  currency: Currency;
  createdAt: Date;
  /** Absent for other accounts: cash has no owner. */
  purpose?: 'takings';
  /** Of the request that opened it; absent if it had no idempotency key. */
  idempotency?: IdempotentRequest;
};
/** The newest entry of an account's chain: its `seq` (0 if there is none), its hash, and the balance after it. */
type Head = { balanceMinor: Minor; seq: number; hash: string };
export type Account = AccountFacts & Head;

/** The `prev` of an account's first entry. It binds the chain to the account's owner. */
export const genesisHash = ({ id, ownerId, currency, createdAt }: AccountFacts): string =>
  hash('sha256', JSON.stringify(['account', id, ownerId, currency, createdAt.toISOString()]), 'base64url');

/** The payload of the statement about an account: what never changes about it. */
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

/** What an account's statement says about it. Null if none of `keys` has signed it. */
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

/** An account without entries. */
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

/** The restaurant's account in `currency` that receives what bills are paid with. Its key is what makes it the only one. */
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
