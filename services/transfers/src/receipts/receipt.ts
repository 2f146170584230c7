import { sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { PostedTransfer } from '../transfers/transfer.ts';
import { toTransferAnswer } from '../transfers/transfer.ts';

export type Signer = { kid: string; privateKey: KeyObject };
/** What a receipt says: the transfer as it is answered, whose consent it was, and its place in both chains. */
export type Receipt = Omit<ReturnType<typeof toTransferAnswer>, 'receipt'> & {
  jti: string;
  pin_version: number;
  entries: { account_id: number; seq: number; hash: string }[];
};

export const receiptType = 'receipt+jws';
export const checkpointType = 'checkpoint+jws';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** `payload` as a compact JWS [RFC 7515] with ES256; `typ` keeps one kind of statement from passing for another. */
export function signStatement(payload: object, typ: string, { kid, privateKey }: Signer): string {
  const signed = `${encode({ alg: 'ES256', kid, typ })}.${encode(payload)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

export function toReceipt(transfer: Omit<PostedTransfer, 'receipt'>): Receipt {
  const { receipt: _none, ...answer } = toTransferAnswer({ ...transfer, receipt: '' });
  return {
    ...answer,
    jti: transfer.jti,
    pin_version: transfer.pinVersion,
    entries: transfer.legs.map(({ accountId, seq, hash }) => ({ account_id: accountId, seq, hash })),
  };
}

export const signReceipt = (transfer: Omit<PostedTransfer, 'receipt'>, signer: Signer): string =>
  signStatement(toReceipt(transfer), receiptType, signer);
