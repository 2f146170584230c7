import type { Currency } from '@comanda/contracts/transfers';
import type { Account } from './account.ts';

export type AccountDocument = {
  _id: number;
  name: string | null;
  /** Null: the restaurant's cash. */
  owner_id: number | null;
  currency: Currency;
  balance: bigint;
  seq: number;
  hash: string;
  created_at: Date;
  /** The checkpoint period in which the balance last changed. */
  changed_period: number;
};

export const toAccount = ({ _id: id, ...document }: AccountDocument): Account => ({
  id,
  name: document.name,
  ownerId: document.owner_id,
  currency: document.currency,
  createdAt: document.created_at,
  balanceMinor: document.balance,
  seq: document.seq,
  hash: document.hash,
});

/** A new account's document. */
export const toAccountDocument = (account: Account): AccountDocument => ({
  _id: account.id,
  name: account.name,
  owner_id: account.ownerId,
  currency: account.currency,
  balance: account.balanceMinor,
  seq: account.seq,
  hash: account.hash,
  created_at: account.createdAt,
  changed_period: 0,
});
