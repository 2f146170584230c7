import { toTransferResponse } from '../transfers/transfer.ts';
import type { PostedTransfer } from '../transfers/transfer.ts';
import { signStatement } from './statement.ts';
import type { Signer } from './statement.ts';

/** The payload of a receipt: the transfer as it is answered, the consent to it, and its entries in both chains. */
export function toReceipt(transfer: Omit<PostedTransfer, 'receipt'>) {
  const { receipt: _receipt, ...response } = toTransferResponse({ ...transfer, receipt: '' });
  return {
    ...response,
    jti: transfer.jti,
    pin_version: transfer.pinVersion,
    entries: transfer.entries.map(({ accountId, seq, hash }) => ({ account_id: accountId, seq, hash })),
  };
}

export const signReceipt = (transfer: Omit<PostedTransfer, 'receipt'>, signer: Signer): string =>
  signStatement(toReceipt(transfer), 'receipt+jws', signer);
