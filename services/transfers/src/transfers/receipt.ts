import { signStatement, type Signer } from '@comanda/shared/crypto/statement';
import { toTransferResponse, type PostedTransfer } from './transfer.ts';

/**
 * Returns the payload of a receipt: the transfer as in the response, the authorization that auth-stepup signed, and both
 * accounts' entries. So a receipt proves the transfer and its authorization without other data. `payment_id` is present only for
 * bill payments, so that older receipts stay valid.
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
