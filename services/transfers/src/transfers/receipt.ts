import { signStatement, type Signer } from '@comanda/shared/crypto/statement';
import { toTransferResponse, type PostedTransfer } from './transfer.ts';

/**
 * The payload of a receipt: the transfer as it is answered, the consent to it as auth-stepup has signed it, and its
 * entries in both chains. `payment_id` is there for payments of bills only: receipts of before they existed stay as they are. So the receipt alone proves both.
 */
export function toReceipt(transfer: Omit<PostedTransfer, 'receipt'>) {
  const {
    receipt: _receipt,
    kind,
    payment_id: paymentId,
    ...response
  } = toTransferResponse({ ...transfer, receipt: '' });
  return {
    ...response,
    jti: transfer.jti,
    pin_version: transfer.pinVersion,
    ...(paymentId != null && { payment_id: paymentId }),
    ...(transfer.consent !== null && { kind, user_id: transfer.userId, consent: transfer.consent }),
    entries: transfer.entries.map(({ accountId, seq, hash }) => ({ account_id: accountId, seq, hash })),
  };
}

export const signReceipt = (transfer: Omit<PostedTransfer, 'receipt'>, signer: Signer): string =>
  signStatement(toReceipt(transfer), 'receipt+jws', signer);
