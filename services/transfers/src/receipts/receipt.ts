import { toTransferAnswer } from '../transfers/transfer.ts';
import type { PostedTransfer } from '../transfers/transfer.ts';
import { signStatement } from './statement.ts';
import type { Signer } from './statement.ts';

/** What a receipt says: the transfer as it is answered, whose consent it was, and its place in both chains. */
export function toReceipt(transfer: Omit<PostedTransfer, 'receipt'>) {
  const { receipt: _itself, ...answer } = toTransferAnswer({ ...transfer, receipt: '' });
  return {
    ...answer,
    jti: transfer.jti,
    pin_version: transfer.pinVersion,
    entries: transfer.legs.map(({ accountId, seq, hash }) => ({ account_id: accountId, seq, hash })),
  };
}

export const signReceipt = (transfer: Omit<PostedTransfer, 'receipt'>, signer: Signer): string =>
  signStatement(toReceipt(transfer), 'receipt+jws', signer);
