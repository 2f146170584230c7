import { signStatement, type Signer } from '../receipts/statement.ts';
import { toTransferResponse, type PostedTransfer } from './transfer.ts';

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
