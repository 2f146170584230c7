import { currencies, type Currency } from '@comanda/contracts/money';
import { setByServer, type Timestamp } from '@comanda/shared/mongo/cluster-time';
import { collectionSchema } from '@comanda/shared/mongo/collections';
import type { Account } from './account.ts';

export type AccountDocument = {
  _id: number;
  name: string | null;
  /** The owner's user id; null for the restaurant's cash account, 0 for its takings account. */
  owner_id: number | null;
  owner_name: string | null;
  currency: Currency;
  balance: bigint;
  seq: number;
  hash: string;
  created_at: Date;
  /** Set for the restaurant's takings accounts only. */
  purpose?: 'takings';
  /** The idempotency key and fingerprint of the request that opened the account; absent if that request had no key. */
  idempotency_key?: string;
  request_fingerprint?: string;
  /** The account's immutable facts, signed when it was opened. */
  statement: string;
  /** When the account last changed, set by MongoDB. Checkpoints use this time to find changed accounts. */
  written: Timestamp;
};

/** The index names don't matter to the code: they only appear in error messages. */
export const accountSchema = collectionSchema<AccountDocument>('accounts', {
  _id: { type: Number, min: 1 },
  name: { type: String, maxlength: 100 },
  owner_id: { type: Number },
  owner_name: { type: String, maxlength: 255 },
  currency: { type: String, required: true, enum: currencies },
  balance: { type: BigInt, required: true },
  seq: { type: Number, required: true, min: 0 },
  hash: { type: String, required: true },
  created_at: { type: Date, required: true },
  purpose: { type: String, enum: ['takings'], allowNull: false },
  idempotency_key: { type: String, allowNull: false },
  request_fingerprint: { type: String, allowNull: false },
  statement: { type: String, required: true },
  written: { type: Object, required: true },
})
  .index({ owner_id: 1, _id: 1 })
  .index(
    { owner_id: 1, idempotency_key: 1 },
    { unique: true, partialFilterExpression: { idempotency_key: { $exists: true } } },
  )
  .index({ currency: 1 }, { unique: true, name: 'one_cash', partialFilterExpression: { owner_id: null } });

/**
 * Returns the key and the fingerprint. If only one of them is set, returns '' for the other, so that the account does not match
 * its signed statement.
 */
const idempotencyOf = ({ idempotency_key: key, request_fingerprint: fingerprint }: Partial<AccountDocument>) =>
  key === undefined && fingerprint === undefined
    ? {}
    : { idempotency: { key: key ?? '', fingerprint: fingerprint ?? '' } };

export const toAccount = ({ _id: id, ...document }: AccountDocument): Account => ({
  id,
  name: document.name,
  ownerId: document.owner_id,
  ownerName: document.owner_name,
  currency: document.currency,
  createdAt: document.created_at,
  ...(document.purpose !== undefined && { purpose: document.purpose }),
  ...idempotencyOf(document),
  balanceMinor: document.balance,
  seq: document.seq,
  hash: document.hash,
});

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
  ...(account.purpose && { purpose: account.purpose }),
  ...(account.idempotency && {
    idempotency_key: account.idempotency.key,
    request_fingerprint: account.idempotency.fingerprint,
  }),
  statement,
  written: setByServer(),
});
