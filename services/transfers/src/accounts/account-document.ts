import type { Currency } from '@comanda/contracts/transfers';
import { setByServer } from '@comanda/shared/mongo/cluster-time';
import type { Timestamp } from '@comanda/shared/mongo/cluster-time';
import type { Account } from './account.ts';

export type AccountDocument = {
  _id: number;
  name: string | null;
  /** Null: the restaurant's cash. */
  owner_id: number | null;
  owner_name: string | null;
  currency: Currency;
  balance: bigint;
  seq: number;
  hash: string;
  created_at: Date;
  /** What never changes about it, signed when it was opened. */
  statement: string;
  /** When it last changed, set by the server, so that a checkpoint finds what is new. */
  written: Timestamp;
};

export const toAccount = ({ _id: id, ...document }: AccountDocument): Account => ({
  id,
  name: document.name,
  ownerId: document.owner_id,
  ownerName: document.owner_name,
  currency: document.currency,
  createdAt: document.created_at,
  balanceMinor: document.balance,
  seq: document.seq,
  hash: document.hash,
});

/** A new account's document. */
export const toAccountDocument = (account: Account, statement: string): AccountDocument => ({
  _id: account.id,
  name: account.name,
  owner_id: account.ownerId,
  owner_name: account.ownerName,
  currency: account.currency,
  balance: account.balanceMinor,
  seq: account.seq,
  hash: account.hash,
  created_at: account.createdAt,
  statement,
  written: setByServer(),
});
